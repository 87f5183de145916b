package configurations

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// Replay counts the operations, one after the other and from the first on, that a
// machine admits.
func Replay(ctx context.Context, m semantics.Machine, labels []history.Label) (int, error) {
	step := stepper(m)
	for i := range labels {
		if !step(&labels[i]) {
			return i, cmp.Or(failure(m), ctx.Err())
		}
		if i&1023 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return len(labels), failure(m)
}

// stepper makes steps from the first state on.
func stepper(m semantics.Machine) func(*history.Label) bool {
	switch p := m.(type) {
	case byKey:
		return p.stepper()
	case *product:
		return p.stepper()
	}
	s := m.Init()
	return func(l *history.Label) bool {
		next, ok := m.Step(s, l)
		if ok {
			s = next
		}
		return ok
	}
}

// Refute reports whether no configuration is left after the events of an execution,
// the first ones left out: if there are some, whatever the state was after them, and
// whichever of the operations that ran had taken effect. Where they are not left out
// it is the same as that the execution is a violation. The operations' kinds and
// numbers of values are the theory's (Labels). The error is the context's, or says
// why that cannot be told.
func Refute(ctx context.Context, s *theory.Spec, e *history.Execution, first int) (bool, error) {
	m, err := Of(s)
	if err != nil {
		return false, err
	}
	set := New(m)
	if first > 0 {
		if set, err = anywhere(m, e, first); err != nil {
			return false, err
		}
	}
	ok, err := set.feed(ctx, e, events(e, first))
	return !ok && err == nil, err
}

// Before lists the states in which the last event of an execution may find the object,
// as texts for readers; the events before it are no violation.
func Before(ctx context.Context, s *theory.Spec, e *history.Execution) ([]string, error) {
	m, err := Of(s)
	if err != nil {
		return nil, err
	}
	set, all := New(m), events(e, 0)
	if ok, err := set.feed(ctx, e, all[:max(0, len(all)-1)]); !ok || err != nil {
		return nil, err
	}
	return set.States()
}

// feed takes events up to the first after which nothing is left.
func (s *Set) feed(ctx context.Context, e *history.Execution, all []event) (ok bool, err error) {
	for n, ev := range all {
		if n&255 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		switch o := &e.Ops[ev.op]; {
		case ev.at == o.Return:
			if ok, err := s.Return(o.ID, o.Outcome, o.Rets...); !ok || err != nil {
				return false, err
			}
		default:
			s.call(o.ID, &o.Label, known(o))
		}
	}
	return true, nil
}

// known is what is known of an operation when its execution is.
func known(o *history.Operation) knowledge {
	if o.Outcome == history.Pending {
		return never
	}
	return already
}

// event is of operation number op.
type event struct{ at, op int }

// events lists those that are not among the first ones.
func events(e *history.Execution, first int) (all []event) {
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Call >= first {
			all = append(all, event{o.Call, i})
		}
		if o := &e.Ops[i]; o.Completed() && o.Return >= first {
			all = append(all, event{o.Return, i})
		}
	}
	slices.SortFunc(all, func(a, b event) int { return a.at - b.at })
	return all
}

// errAny is why not.
var errAny = errors.New("what the automaton does depends on more than equality of the values in some operations: its states cannot be listed")

// anywhere is the set with all states that an automaton may be in after the first
// events of an execution. Values in registers are those of the operations to come,
// those that the automaton names, and any others, which are all alike.
func anywhere(m semantics.Machine, e *history.Execution, first int) (*Set, error) {
	set, values := &Set{machine: m, most: mostStates}, []history.Value(nil)
	for i := range e.Ops {
		o := &e.Ops[i]
		if o.Completed() && o.Return < first {
			continue
		}
		values = slices.Concat(values, o.Args, o.Rets)
		if o.Call < first {
			set.call(o.ID, &o.Label, known(o))
		}
	}
	a, ok := m.(interface {
		Anywhere(values []history.Value) (iter.Seq[semantics.State], bool)
	})
	if !ok {
		return nil, errAny
	}
	states, ok := a.Anywhere(values)
	if !ok {
		return nil, errAny
	}
	for s := range states {
		if err := set.begin(s); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// begin adds a state. Any of the running operations may have led to it, or not: one
// that could have answered before may return at once, and may still take effect.
func (s *Set) begin(at semantics.State) error {
	c := config{state: s.states.Of(at)}
	for place := range s.running {
		c.marks = append(c.marks, could(place, 0))
	}
	if s.configs = append(s.configs, c); len(s.configs) > Most {
		return ErrMost
	}
	return nil
}

// Earliest is a number of first events without which an execution is refuted still,
// few of whose operations come after them: 0 if it takes all events, -1 if they are no
// violation.
func Earliest(ctx context.Context, s *theory.Spec, e *history.Execution) (first int, err error) {
	var calls []int
	for i := range e.Ops {
		calls = append(calls, e.Ops[i].Call)
	}
	for n := 2; n < len(calls); n += cmp.Or(n/2, 1) {
		if at := calls[len(calls)-n]; at > 0 {
			refuted, err := Refute(ctx, s, e, at)
			if refuted || ctx.Err() != nil {
				return at, ctx.Err()
			}
			if errors.Is(err, errAny) {
				break
			}
		}
	}
	refuted, err := Refute(ctx, s, e, 0)
	if !refuted {
		first = -1
	}
	return first, err
}
