package describe

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/describe/internal/family"
	"github.com/adtinfer/adtinfer/describe/internal/product"
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

// aSmallSize is one at which much happens after a few calls.
const aSmallSize = 3

// small are references of a small size, one for each integer with which objects are made,
// until use has one that it wants. Those that cannot be made are left out.
func (s *search) small(ctx context.Context, use func(small reference.Implementation) (done bool, err error)) error {
	for i, size := range s.Sizes {
		if size <= leastContinued {
			continue
		}
		small, err := s.Sized(ctx, i, aSmallSize)
		if err != nil {
			continue
		}
		done, err := use(small)
		if small.Close(); done || err != nil {
			return err
		}
	}
	return ctx.Err()
}

// productLike looks for keys once more, by what is seen at a small size.
func (s *search) productLike(ctx context.Context, found *product.Found) (*product.Found, error) {
	err := s.small(ctx, func(small reference.Implementation) (bool, error) {
		like, err := product.FindLike(ctx, s.impl, small)
		if err == nil && like.Keys != nil {
			found = like
		}
		return err == nil && like.Keys != nil, err
	})
	return found, err
}

// vacuous is an error if answers depend on no earlier call, at a small size either: of such
// a reference, nothing may have to be called fifty times before it answers otherwise.
func (s *search) vacuous(ctx context.Context) (failing []string, err error) {
	failing, err = s.Judge.Vacuous(ctx, s.impl)
	if empty := (*Empty)(nil); errors.As(err, &empty) {
		if e := s.small(ctx, func(small reference.Implementation) (bool, error) {
			_, e := s.Judge.Vacuous(ctx, small)
			if e == nil {
				err = nil
			}
			return e == nil, nil
		}); e != nil {
			return nil, e
		}
	}
	return failing, err
}

// closing is a part that closes the whole.
type closing struct {
	reference.Implementation
	whole reference.Implementation
}

// Close closes the whole.
func (c closing) Close() error { return c.whole.Close() }
