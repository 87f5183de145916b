package configurations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Replay counts the operations, one after the other and from the first on, that a
// machine admits.
func Replay(ctx context.Context, m Machine, labels []history.Label) (int, error) {
	s := m.Start()
	if p, ok := m.(*product); ok {
		return p.replay(ctx, labels)
	}
	for i := range labels {
		next, ok := m.Step(s, &labels[i])
		if !ok {
			return i, ctx.Err()
		}
		if s = next; i&1023 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return len(labels), nil
}

// replay changes one state, for there may be many parts.
func (p *product) replay(ctx context.Context, labels []history.Label) (int, error) {
	s := &productState{map[history.Value]State{}, p.part.Start()}
	for i := range labels {
		l, ok := &labels[i], false
		if k := p.Of(l.Method); k.Role == theory.ByKey {
			own, key, _ := k.Project(*l)
			s.parts[key], ok = p.part.Step(s.of(key), &own)
		} else if next, may := p.Step(s, l); may {
			s, ok = next.(*productState), true
		}
		if !ok {
			return i, ctx.Err()
		}
		if i&1023 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return len(labels), nil
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
func anywhere(m Machine, e *history.Execution, first int) (*Set, error) {
	a, ok := m.(*automaton)
	if !ok || len(a.Counters) > 0 {
		return nil, errAny
	}
	values, ok := constants(a.Automaton)
	if !ok {
		return nil, errAny
	}
	set, fresh := &Set{machine: a, most: mostStates}, "other"
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
	slices.Sort(values)
	values = slices.Compact(values)
	for _, v := range values {
		for strings.HasPrefix(string(v), fresh) {
			fresh += "'"
		}
	}
	for at := range a.Locations {
		for registers := range fillings(values, history.Value(fresh), len(a.Locations[at].Registers), nil, 0) {
			if err := set.begin(automata.State{Location: at, Registers: registers}); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
}

// begin adds a state. Any of the running operations may have led to it, or not: one
// that could have answered before may return at once, and may still take effect.
func (s *Set) begin(at automata.State) error {
	c := config{state: s.state(at)}
	for place := range s.running {
		c.marks = append(c.marks, could(place, 0))
	}
	if s.configs = append(s.configs, c); len(s.configs) > Most {
		return ErrMost
	}
	return nil
}

// fillings yields what n registers may hold: values, and others, used so many so far,
// which are alike.
func fillings(values []history.Value, other history.Value, n int, so []history.Value, used int) func(yield func([]history.Value) bool) {
	return func(yield func([]history.Value) bool) {
		if n == 0 {
			yield(slices.Clone(so))
			return
		}
		try := func(v history.Value, used int) bool {
			for filling := range fillings(values, other, n-1, append(slices.Clip(so), v), used) {
				if !yield(filling) {
					return false
				}
			}
			return true
		}
		for _, v := range values {
			if !try(v, used) {
				return
			}
		}
		for k := range used + 1 {
			if !try(history.Value(fmt.Sprintf("%s %d", other, k)), max(used, k+1)) {
				return
			}
		}
	}
}

// TermsOf lists the terms of a transition.
func TermsOf(t *automata.Transition) []automata.Term {
	terms := slices.Concat(t.Rets, t.Load)
	for _, c := range t.Guard {
		terms = append(terms, c.Left, c.Right)
	}
	return terms
}

// constants lists the values that an automaton names. It is false if the automaton does more
// with values than compare texts that are there.
func constants(a *automata.Automaton) (all []history.Value, ok bool) {
	for i := range a.Locations {
		for j := range a.Locations[i].Transitions {
			t := &a.Locations[i].Transitions[j]
			if slices.ContainsFunc(t.Guard, func(c automata.Condition) bool { return c.Op == automata.Less || c.Op == automata.AtLeast }) {
				return nil, false
			}
			for _, x := range TermsOf(t) {
				switch x.Kind {
				case automata.Total:
					return nil, false
				case automata.Constant:
					all = append(all, x.Value)
				}
			}
		}
	}
	return all, true
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
