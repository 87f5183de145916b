package patterns

import (
	"context"

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
// it admits all its one-step removals.
//
// Every admitted history of a normal type is reached from the empty one by
// one-step extensions, so those of a weight are enumerated by length. The work
// grows with the number of admitted histories of the weight instead of all.
type frontier struct {
	model *model.Model

	// readOnly caps the read-only operations of a candidate; 0 is no cap. One
	// is enough for a deterministic reference: such operations do not influence
	// what follows, so each violation shows with one of them alone.
	readOnly int

	found map[string]bool
}

func (f *frontier) weight(ctx context.Context, w int) ([]enumerate.Sequence, theory.WeightStatus, error) {
	r := &round{frontier: f, weight: w, realizer: f.model.NewRealizer(), visited: map[string]bool{}, admitted: map[string]bool{}}
	status := theory.WeightStatus{Weight: w}
	r.push(enumerate.Sequence{})
	var fresh []enumerate.Sequence
	for length := 0; length < len(r.byLength); length++ {
		candidates := r.byLength[length]
		r.byLength[length] = nil
		kept, executions, err := realized(ctx, r.realizer, candidates)
		if err != nil {
			return nil, status, err
		}
		ok, err := f.model.IsAdmitted(ctx, executions)
		if err != nil {
			return nil, status, err
		}
		if length > 0 {
			status.Candidates += len(kept)
		}
		for i, s := range kept {
			if err := interrupted(ctx, i); err != nil {
				return nil, status, err
			}
			if ok[i] {
				status.Admitted++
				r.admit(s)
			} else if r.minimal(s) && f.isNew(s) {
				fresh = append(fresh, s)
			}
		}
	}
	status.New = len(fresh)
	return fresh, status, nil
}

func (f *frontier) isNew(s enumerate.Sequence) bool {
	key := string(s.AppendKey(nil))
	if f.found[key] {
		return false
	}
	f.found[key] = true
	return true
}

// round is the enumeration of one weight.
type round struct {
	*frontier
	weight   int
	realizer *model.Realizer
	byLength [][]enumerate.Sequence // candidates still to be asked about
	visited  map[string]bool
	admitted map[string]bool
	key      []byte
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

// push remembers a candidate unless it was met before or is too heavy.
func (r *round) push(s enumerate.Sequence) {
	r.key = s.AppendKey(r.key[:0])
	if r.visited[string(r.key)] || s.Weight() > r.weight || r.readOnly > 0 && readOnlys(s) > r.readOnly {
		return
	}
	r.visited[string(r.key)] = true
	for len(r.byLength) <= len(s) {
		r.byLength = append(r.byLength, nil)
	}
	r.byLength[len(s)] = append(r.byLength[len(s)], s)
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

func (r *round) admit(s enumerate.Sequence) {
	r.key = s.AppendKey(r.key[:0])
	r.admitted[string(r.key)] = true
	r.model.Links.Extensions(s, r.push)
}

// minimal reports whether all one-step removals of s are admitted. They are
// shorter and no heavier than s, so they have been met if they are.
func (r *round) minimal(s enumerate.Sequence) bool {
	return s.Removals(func(_ string, _ []int, rest enumerate.Sequence) bool {
		r.key = rest.AppendKey(r.key[:0])
		return r.admitted[string(r.key)]
	})
}
