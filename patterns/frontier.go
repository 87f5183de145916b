package patterns

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/internal/alphabet"
	"github.com/adtinfer/adtinfer/internal/model"
	"github.com/adtinfer/adtinfer/theory"
)

// search looks through the histories of one weight after the other.
type search interface {
	// weight looks at weight w; the patterns it returns are those not returned
	// before.
	weight(ctx context.Context, w int) ([]enumerate.Sequence, theory.WeightStatus, error)
}

// frontier finds the minimal violations of a normal type without looking at
// every history: a minimal violation is a one-step extension of an admitted
// history, and a candidate is minimal iff the reference does not admit it while
// it admits all its one-step removals. Where it does not, nothing is admitted
// either, so only candidates of which all removals are admitted are asked about: the
// admitted histories and the patterns.
//
// Every admitted history of a normal type is reached from the empty one by
// one-step extensions, which add one to the weight at most, so those of a weight are
// made from those of the weight before, by length. The work grows with the number of
// admitted histories of the weight instead of all.
type frontier struct {
	model *model.Model

	// readOnly caps the read-only operations of a candidate; 0 is no cap. One
	// is enough for a deterministic reference: such operations do not influence
	// what follows, so each violation shows with one of them alone.
	readOnly int

	weighs   int // the weight that is looked at
	tried    int // candidates of this weight and smaller ones
	asked    int // up to this length the histories of this weight have been asked about
	admitted map[string]bool
	last     []enumerate.Sequence // admitted ones of the weight before
	matches  []enumerate.Sequence // admitted ones that are one match; nil while all are looked for

	visited  map[string]bool        // candidates of this weight
	byLength [][]enumerate.Sequence // those still to be asked about
	key      []byte
}

func (f *frontier) weight(ctx context.Context, w int) ([]enumerate.Sequence, theory.WeightStatus, error) {
	if w == 1 {
		f.admitted, f.last = map[string]bool{"": true}, []enumerate.Sequence{{}}
	}
	f.weighs, f.asked, f.visited, f.byLength = w, 0, map[string]bool{}, nil
	status, realizer := theory.WeightStatus{Weight: w}, f.model.NewRealizer()
	if err := f.extend(ctx, f.last); err != nil {
		return nil, status, err
	}
	var fresh, all []enumerate.Sequence
	for length := 0; length < len(f.byLength); length++ {
		candidates := slices.DeleteFunc(f.byLength[length], func(s enumerate.Sequence) bool { return !f.closed(s) })
		f.byLength[length] = nil
		kept, executions, err := realized(ctx, realizer, candidates)
		if err != nil {
			return nil, status, err
		}
		ok, err := f.model.IsAdmitted(ctx, executions)
		if err != nil {
			return nil, status, err
		}
		f.tried += len(kept)
		var admitted []enumerate.Sequence
		for i, s := range kept {
			if ok[i] {
				f.admitted[f.keyOf(s)] = true
				admitted = append(admitted, s)
			} else {
				fresh = append(fresh, s)
			}
		}
		f.asked = length
		if err := f.extend(ctx, admitted); err != nil {
			return nil, status, err
		}
		all = append(all, admitted...)
	}
	if f.last = all; w == 1 {
		f.matches = slices.DeleteFunc(slices.Clone(all), func(s enumerate.Sequence) bool { return !s.IsMatch() })
	}
	f.visited = nil
	status.Candidates, status.Admitted, status.New = f.tried, len(f.admitted), len(fresh)
	return fresh, status, nil
}

// extend makes candidates of admitted histories.
func (f *frontier) extend(ctx context.Context, admitted []enumerate.Sequence) error {
	for i, s := range admitted {
		if err := interrupted(ctx, 16*i); err != nil {
			return err
		}
		f.model.Links.Extensions(s, f.matches, f.push)
	}
	return nil
}

func (f *frontier) keyOf(s enumerate.Sequence) string {
	f.key = s.AppendKey(f.key[:0])
	return string(f.key)
}

// readOnlys is the number of read-only operations.
func readOnlys(s enumerate.Sequence) (n int) {
	for _, o := range s {
		if o.ReadOnly {
			n++
		}
	}
	return n
}

// push remembers a candidate unless it was met before, has another weight, or cannot be
// minimal or admitted.
func (f *frontier) push(s enumerate.Sequence) {
	f.key = s.AppendKey(f.key[:0])
	if f.visited[string(f.key)] || s.Weight() != f.weighs || f.readOnly > 0 && readOnlys(s) > f.readOnly || !f.closed(s) {
		return
	}
	f.visited[f.keyOf(s)] = true
	for len(f.byLength) <= len(s) {
		f.byLength = append(f.byLength, nil)
	}
	f.byLength[len(s)] = append(f.byLength[len(s)], s)
}

// closed reports whether all one-step removals of s are admitted, as far as the reference
// was asked. They are shorter and no heavier than s, so they have been asked about when s
// is.
func (f *frontier) closed(s enumerate.Sequence) bool {
	return s.Removals(func(_ string, positions []int) bool {
		rest := s.Without(positions)
		f.key = rest.AppendKey(f.key[:0])
		return f.admitted[string(f.key)] || len(rest) > f.asked && rest.Weight() == f.weighs
	})
}

// realized keeps the histories that executions in the language have, with those.
func realized(ctx context.Context, r *model.Realizer, histories []enumerate.Sequence) (kept []enumerate.Sequence, executions [][]alphabet.Label, err error) {
	for i, s := range histories {
		if err := interrupted(ctx, i); err != nil {
			return nil, nil, err
		}
		if e, ok := r.Realize(s); ok {
			kept = append(kept, s)
			executions = append(executions, append([]alphabet.Label(nil), e...))
		}
	}
	return kept, executions, nil
}

// interrupted is the context's error, looked up in some iterations of a loop.
func interrupted(ctx context.Context, iteration int) error {
	if iteration%1024 != 0 {
		return nil
	}
	return ctx.Err()
}
