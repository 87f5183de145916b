package describe

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/family"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// continued looks for an automaton that continues those of smaller sizes, by each of the
// integers with which objects are made.
func (s *search) continued(ctx context.Context, t *theory.Theory) (bool, error) {
	for i, size := range s.Sizes {
		if size <= leastContinued {
			continue
		}
		s.Patterns.Progress("continuing automata of small sizes")
		found, err := family.Find(ctx, s.impl, size, func(ctx context.Context, n int) (reference.Implementation, error) { return s.Sized(ctx, i, n) })
		if err != nil {
			return false, err
		}
		s.told = append(s.told, found.Told...)
		if found.Automaton != nil {
			t.Spec.Automaton, t.Status.Automaton = found.Automaton, found.Extent
			return true, nil
		}
		s.refute(theory.ByAutomaton, "by its size: "+found.Why)
	}
	return false, nil
}

// leastContinued is the largest size that is small.
const leastContinued = 4

// closing is a part that closes the whole.
type closing struct {
	reference.Implementation
	whole reference.Implementation
}

// Close closes the whole.
func (c closing) Close() error { return c.whole.Close() }
