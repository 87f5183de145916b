package check

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/theory"
)

// Consistent looks for an execution of the theory's language, of one to length
// operations, that the theory admits. It returns the shortest, or nil if there is
// none: then some axiom excludes everything, and every verdict about the theory
// would be a violation. Executions are sequential, but those of a theory of a width
// beyond 1 overlap as a whole, and any order between them will do. For such a
// theory length should not be less than its width.
//
// Axioms that people write are worth the look. ATOMIC of "Monitoring
// refinement" §3, for one, is false of every history with an operation.
//
// Executions are tried one by one, up to renaming of values that no formula
// names; if the theory compares values, with as many integers around those that
// formulas name as they have places for values. Length 2 is enough for all usual
// types and takes milliseconds. Operations of very many values, or that overlap,
// may have too many executions; the error is then ErrUndecided.
func Consistent(ctx context.Context, t *theory.Theory, length int) (*history.Execution, error) {
	s := &search{theory: t, says: t.Sequences()}
	if _, _, err := s.says.Admits(ctx, nil); err != nil {
		return nil, err
	}
	if t.Spec.Width > 1 {
		c, err := New(t, Options{})
		if err != nil {
			return nil, err
		}
		s.overlapping = c
	}
	var undecided error
	for n := 1; n <= length; n++ {
		if s.says.Ordered {
			s.integers = ground.FreshIntegers(s.says.Named, n*places(t))
		}
		s.tried = 0
		found, err := s.extend(ctx, nil, n)
		if errors.Is(err, ErrUndecided) {
			undecided, err = err, nil
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, undecided
}

// ErrUndecided is the error of Consistent if it finds no execution among those
// that it has the patience to try.
var ErrUndecided = errors.New("check: none of the first short executions is admitted, and there are too many to try all")

// mostTried is how many executions of each length Consistent tries, and
// mostOverlapping how many of operations that overlap, which take longer.
const (
	mostTried       = 50_000
	mostOverlapping = 5_000
)

// search tries executions of a theory.
type search struct {
	tried    int // of the length at hand
	theory   *theory.Theory
	says     *theory.Sequences
	integers []history.Value // to try, if the theory compares values

	overlapping *Checker // the theory, if its width is beyond 1
}

// extend tries all ways to add operations to an execution, until there are n,
// for one that the theory admits.
func (s *search) extend(ctx context.Context, labels []history.Label, n int) (*history.Execution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(labels) == n {
		if s.overlapping != nil {
			return s.overlap(ctx, labels)
		}
		return s.sequential(ctx, labels)
	}
	for l := range enumerate.Labels(s.theory.Spec.Methods, labels, s.says.Named, s.integers) {
		e, err := s.extend(ctx, append(labels, l), n)
		if e != nil || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// sequential is the execution of one operation after the other, if the theory
// admits it.
func (s *search) sequential(ctx context.Context, labels []history.Label) (*history.Execution, error) {
	if s.tried++; s.tried > mostTried {
		return nil, ErrUndecided
	}
	if admitted, _, _ := s.says.Admits(ctx, labels); admitted {
		return history.Sequential(slices.Clone(labels)...), nil
	}
	return nil, ctx.Err()
}

// overlap is the execution in which all operations run at one moment, if the
// theory admits it: they may then have taken effect in any order or together.
func (s *search) overlap(ctx context.Context, labels []history.Label) (*history.Execution, error) {
	if s.tried++; s.tried > mostOverlapping {
		return nil, ErrUndecided
	}
	e := &history.Execution{Events: 2 * len(labels)}
	for i, l := range labels {
		e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(i + 1), Label: l, Call: i, Return: len(labels) + i})
	}
	a, err := s.overlapping.decide(ctx, e)
	switch {
	case outside(err):
		return nil, nil
	case err != nil || !a.Sat:
		return nil, err
	}
	return e, nil
}

// places is the largest number of values that an operation has.
func places(t *theory.Theory) (most int) {
	for _, m := range t.Spec.Methods {
		for _, out := range m.Outcomes {
			most = max(most, m.Args+out.Rets)
		}
	}
	return most
}
