package patterns

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/model"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// UpTo runs a strategy up to a weight, whether or not new patterns would still
// turn up above it, and draws what it finds.
func UpTo(ctx context.Context, impl reference.Implementation, spec reference.Spec, strategy string, weight int) ([]string, []theory.WeightStatus, error) {
	t, err := Declare(impl, spec.Info())
	if err != nil {
		return nil, nil, err
	}
	in := &inference{Options: Options{Strategy: strategy, MinWeight: weight, MaxWeight: weight}.withDefaults(), theory: *t}
	in.Patience = 0
	if err := in.explore(ctx, impl, 0); err != nil {
		return nil, nil, err
	}
	if err := in.start(false); err != nil {
		return nil, nil, err
	}
	if err := in.enumerate(ctx); err != nil {
		return nil, nil, err
	}
	var lines []string
	r := in.model.NewRealizer()
	for _, s := range in.found {
		e, _ := r.Exemplar(s)
		lines = append(lines, history.DrawLine(historyOf(in.model.Alphabet, s), in.model.Alphabet.Texts(e)))
	}
	return lines, in.theory.Status.Weights, nil
}

// Searched is the model of a spec and the patterns that the frontier finds.
func Searched(ctx context.Context, t *testing.T, spec reference.Spec) (*model.Model, []enumerate.Sequence) {
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
	if err := in.start(false); err != nil {
		t.Fatal(err)
	}
	if err := in.enumerate(ctx); err != nil {
		t.Fatal(err)
	}
	return in.model, in.found
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
