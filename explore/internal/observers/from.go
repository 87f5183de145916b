package observers

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/theory"
)

// mostDepth is how long the continuations are that tell words apart.
const mostDepth = 3

// From is the observers of a theory: exact, under what they assume. The error says what the
// theory has that observers cannot tell, or is the context's.
func From(ctx context.Context, t *theory.Theory) (*Set, error) {
	none := func(format string, args ...any) error {
		return fmt.Errorf("theory %s has no observer: %s; explore within bounds, where the theory itself is the observer", t.Name, fmt.Sprintf(format, args...))
	}
	switch h := t.Spec.Headline(); {
	case t.Spec.Width > 1:
		return nil, none("it is about operations that overlap")
	case h == theory.ByModel:
		return nil, none("it is a model, of which nothing is known but what it answers")
	case h == theory.ByCounters:
		return nil, none("it counts, and observers have finitely many states")
	}
	o := newOracle(ctx, t)
	if o.sequences.Ordered {
		return nil, none("it compares values by their size, or computes them, and observers tell whether values are equal")
	}
	set, err := o.byProjection()
	var differs *Difference
	switch {
	case err == nil:
		return set, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &differs):
		return nil, none("what one or two values show of it is not enough: %v", err)
	}
	return nil, none("%v", err)
}

// byProjection tries what patterns say, if the theory has nothing that covers all executions, and
// projections, the small ones first.
func (o *oracle) byProjection() (set *Set, first error) {
	patterns := func() bool {
		if len(o.theory.Spec.Patterns) == 0 {
			return false
		}
		all, err := o.ofPatterns()
		if err == nil {
			set, err = o.gate(all)
		}
		first = err
		return err == nil
	}
	covers := o.theory.Spec.Automaton != nil || o.theory.Spec.Product != nil
	if !covers && patterns() {
		return set, nil
	}
	for _, registers := range []int{0, 1, 2} {
		for _, others := range []bool{false, true} {
			for depth := 1; depth <= mostDepth; depth++ {
				x, err := o.project(registers, others, depth)
				if err == nil {
					set, err = o.gate([]*Observer{x})
				}
				if err == nil || o.ctx.Err() != nil {
					return set, err
				}
				first = err
				if err == errLarge {
					break
				}
			}
		}
	}
	if covers && patterns() {
		return set, nil
	}
	return nil, first
}
