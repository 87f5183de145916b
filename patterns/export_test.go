package patterns

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// UpTo searches up to a weight, whether or not new patterns would still
// turn up above it, and draws what it finds: at the frontier, or literally.
func UpTo(ctx context.Context, impl reference.Implementation, spec reference.Spec, literally bool, weight int) (lines []string, weights []theory.WeightStatus, err error) {
	t, err := Declare(impl, spec.Info())
	if err != nil {
		return nil, nil, err
	}
	in := &inference{Options: Options{}.withDefaults(), theory: *t}
	if err := in.explore(ctx, impl, 0); err != nil {
		return nil, nil, err
	}
	look := (&frontier{model: in.model, readOnly: 1}).weight
	if literally {
		look = (&literal{model: in.model}).weight
	}
	r := in.model.NewRealizer()
	for w := 1; w <= weight; w++ {
		fresh, status, err := look(ctx, w)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range fresh {
			e, _ := r.Exemplar(s)
			lines = append(lines, history.DrawLine(historyOf(in.model.Alphabet, s), in.model.Alphabet.Texts(e)))
		}
		weights = append(weights, status)
	}
	return lines, weights, nil
}

// Searched is the model of a spec and the patterns that the frontier finds.
func Searched(ctx context.Context, t *testing.T, spec reference.Spec) (*matching.Model, []enumerate.Sequence) {
	t.Helper()
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	th, err := Declare(impl, spec.Info())
	if err != nil {
		t.Fatal(err)
	}
	in := &inference{Options: Options{}.withDefaults(), theory: *th}
	if err := in.explore(ctx, impl, 0); err != nil {
		t.Fatal(err)
	}
	in.start(false)
	if err := in.enumerate(ctx); err != nil {
		t.Fatal(err)
	}
	return in.model, in.found
}

// FrontierSearch is a search that came to an end.
type FrontierSearch struct {
	Model      *matching.Model
	Found      []enumerate.Sequence
	Admitted   map[string]bool // by key
	Candidates int             // that the reference was asked about
	Made       int             // extensions of the admitted histories
}

// Frontiers searches the frontier of a reference up to a weight.
func Frontiers(t *testing.T, impl reference.Implementation, spec reference.Spec, weight int) *FrontierSearch {
	t.Helper()
	th, err := Declare(impl, spec.Info())
	if err != nil {
		t.Fatal(err)
	}
	in := &inference{Options: Options{}.withDefaults(), theory: *th}
	if err := in.explore(t.Context(), impl, 0); err != nil {
		t.Fatal(err)
	}
	f := &frontier{model: in.model, readOnly: 1}
	s := &FrontierSearch{Model: in.model}
	for w := 1; w <= weight; w++ {
		fresh, _, err := f.weight(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		s.Found = append(s.Found, fresh...)
	}
	s.Admitted, s.Candidates = f.admitted, f.tried
	for key := range f.admitted {
		f.extensions(fromKey(key), func(enumerate.Sequence) { s.Made++ })
	}
	return s
}

// fromKey is the history with a key.
func fromKey(key string) (s enumerate.Sequence) {
	for i := 0; i < len(key); i += 2 {
		s = append(s, enumerate.Op{Kind: int8(key[i] >> 1), Target: int8(key[i+1]), ReadOnly: key[i]&1 == 1})
	}
	return s
}

// What the tests of this package use of its inside.
type (
	Matcher = matcher
	Host    = host
)

var (
	NewMatcher = newMatcher
	CrossCheck = crossCheck
	History    = historyOf
)
