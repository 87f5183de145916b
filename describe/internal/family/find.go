package family

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/learn"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Sizes from which a large one is told.
const (
	leastSize = 2
	mostSize  = 7
	fewest    = 3
	mostTold  = 60 // sequences that lead to it
	locations = 30 // of the automaton of a small size
)

// Found is what Find found.
type Found struct {
	Automaton *automata.Automaton // nil: there is none
	Extent    *theory.Extent      // how far it was compared with the reference
	Why       string              // one sentence: why there is none
	Told      [][]history.Label   // sequences that told automata from the reference, or lead to its size
}

// Find learns automata of a type at small sizes, continues them to the size that a
// reference has, and compares what comes out with the reference.
func Find(ctx context.Context, impl reference.Implementation, size int, small func(ctx context.Context, size int) (reference.Implementation, error)) (*Found, error) {
	found, of := &Found{Why: "objects of few small sizes can be made"}, map[int]*automata.Automaton{}
	for s := leastSize; s <= min(mostSize, size-1); s++ {
		a, err := learned(ctx, small, s)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && len(of) == 0:
			continue // a constructor may refuse such a size
		case err != nil:
			return found, nil
		case a == nil:
			found.Why = fmt.Sprintf("at size %d no automaton describes it either", s)
			return found, nil
		}
		if of[s] = a; len(of) < fewest {
			continue
		}
		if found.Automaton, found.Why = Of(of, size); found.Automaton == nil {
			continue
		}
		if err := found.compare(ctx, impl); err != nil || found.Automaton != nil {
			return found, err
		}
	}
	return found, nil
}

// learned is the automaton of a small size.
func learned(ctx context.Context, small func(context.Context, int) (reference.Implementation, error), size int) (*automata.Automaton, error) {
	impl, err := small(ctx, size)
	if err != nil {
		return nil, err
	}
	defer impl.Close()
	l, err := learn.Learn(ctx, impl, learn.Options{Locations: locations, Quick: true})
	if err != nil || l.Automaton == nil {
		return nil, err
	}
	for together := 1; together <= 2; together++ {
		if a := inOrder(l.Automaton, together); a != nil {
			if _, differs, err := learn.Compare(ctx, impl, a, learn.Comparison{}); err != nil || differs == nil {
				return a, err
			}
		}
	}
	return l.Automaton, nil
}

// inOrder is an automaton whose registers keep their order, and new values come last: where
// it makes no difference in which order values are held, learning chooses some. So many
// registers stay together, such as a key and its value. It is nil if that is so already.
func inOrder(a *automata.Automaton, together int) *automata.Automaton {
	b, changed := *a, false
	b.Locations = slices.Clone(a.Locations)
	for i := range b.Locations {
		l := &b.Locations[i]
		l.Transitions = slices.Clone(l.Transitions)
		for j := range l.Transitions {
			old := l.Transitions[j].Load
			parts := slices.Collect(slices.Chunk(old, together))
			slices.SortStableFunc(parts, func(x, y []automata.Term) int {
				return cmp.Or(cmp.Compare(x[0].Kind, y[0].Kind), cmp.Compare(x[0].Index, y[0].Index))
			})
			load := slices.Concat(parts...)
			changed = changed || !slices.EqualFunc(load, old, func(x, y automata.Term) bool { return x.Kind == y.Kind && x.Index == y.Index })
			l.Transitions[j].Load = load
		}
	}
	if !changed || b.Validate() != nil {
		return nil
	}
	return &b
}

// compare forgets an automaton that differs from the reference.
func (f *Found) compare(ctx context.Context, impl reference.Implementation) error {
	words := Words(impl.Methods(), f.Automaton, 1)
	answers, err := teacher.New(impl).Ask(ctx, words)
	if err != nil {
		return err
	}
	calls, longest := 0, 0
	for i, w := range words {
		calls, longest = calls+len(w), max(longest, len(w))
		if at := learn.Differs(f.Automaton, impl.Methods(), w, &answers[i]); at >= 0 {
			f.Automaton, f.Why = nil, "what continues the automata of small sizes differs from the reference"
			return nil
		}
	}
	extent, differs, err := learn.Compare(ctx, impl, f.Automaton, learn.Comparison{})
	if err != nil {
		return err
	}
	if differs != nil {
		f.Automaton, f.Why = nil, "what continues the automata of small sizes differs from the reference"
		if len(differs.Labels) > 0 {
			f.Told = append(f.Told, differs.Labels)
		}
		return nil
	}
	for i := range answers {
		if len(answers[i].Labels) > 0 && len(f.Told) < mostTold {
			f.Told = append(f.Told, answers[i].Labels)
		}
	}
	extent.Words, extent.Calls, extent.Longest = extent.Words+len(words), extent.Calls+calls, max(extent.Longest, longest)
	extent.Why = "it has a size, and was told from small ones"
	f.Extent = extent
	return nil
}
