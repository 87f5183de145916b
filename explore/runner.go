package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// runner runs the operations of a program one after the other: each to its end before
// the next is called, in all ways that its choices and the goroutines that it starts allow.
// A state is one of its machine, so after machine.ErrAgain all of them are void.
type runner struct {
	ctx    context.Context
	shared *machine.Shared
	m      *machine.Machine
	strict string // what is run, if its faults are errors
}

// newRunner makes a runner for the calls of a list.
func newRunner(ctx context.Context, p *ir.Program, list *spec.List, strict string, mostSteps int) (*runner, error) {
	bounds := machine.Bounds{Threads: 1, Ops: -1}
	for _, c := range list.Calls {
		c.Fresh = 0
		bounds.Calls = append(bounds.Calls, c)
	}
	shared, err := machine.New(ctx, p, bounds, machine.Options{MostSteps: mostSteps})
	if err != nil {
		return nil, err
	}
	return &runner{ctx: ctx, shared: shared, m: shared.Machine(), strict: strict}, nil
}

// Start is the state of a new object.
func (r *runner) Start() ([]byte, error) { return r.shared.Start(), nil }

// Text is a state for readers.
func (r *runner) Text(state []byte) string { return fmt.Sprintf("a state of %d bytes", len(state)) }

// within is a state within a call.
type within struct {
	form   string
	answer int32 // -1: none yet
	called bool
}

// mostWithin bounds the states within a call.
const mostWithin = 1 << 18

// Run makes a call, and the steps of the goroutines that are left from earlier ones, in all
// orders. A way without an end, or with a fault, has no result: exploring finds it too. What
// cannot be explored is an error: without it, answers would be missing.
func (r *runner) Run(state []byte, call int32) (all []spec.Ran, err error) {
	start := within{form: string(state), answer: -1}
	seen, queue := map[within]bool{start: true}, []within{start}
	for len(queue) > 0 && err == nil {
		at := queue[0]
		queue = queue[1:]
		if err = r.ctx.Err(); err != nil {
			break
		}
		err = r.m.Expand([]byte(at.form), func(s *machine.Step) error {
			switch {
			case s.Thread == 0 && (at.answer >= 0 || s.Call >= 0 && s.Call != call):
				return nil
			case s.Fault != nil && r.strict != "":
				return fmt.Errorf("%s: %s, at %s", r.strict, s.Fault.Error(), placeOf(r.shared.Program(), s.Fault.Pos))
			case s.Fault != nil && s.Fault.Kind == machine.NotCovered:
				return fmt.Errorf("its sequential runs: %w", s.Fault)
			case s.Fault != nil:
				return nil
			}
			next := within{string(s.Next), max(at.answer, s.Answer), at.called || s.Call >= 0}
			if seen[next] {
				return nil
			}
			if seen[next] = true; len(seen) > mostWithin {
				op := &r.shared.Program().Ops[r.shared.Bounds().Calls[call].Op]
				text := fmt.Sprintf("%s by itself has more than %s", op.GoName, wording.Count(mostWithin, "state"))
				return &machine.Fault{Kind: machine.NotCovered, Text: text, Limit: true}
			}
			queue = append(queue, next)
			if next.answer >= 0 {
				result := r.shared.Result(next.answer)
				all = append(all, spec.Ran{Result: &result, Next: slices.Clone(s.Next)})
			}
			return nil
		})
	}
	if errors.Is(err, machine.ErrAgain) {
		r.shared.Again()
		r.m = r.shared.Machine()
	}
	return all, err
}
