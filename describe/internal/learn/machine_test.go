package learn

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// anyMachine is an automaton as an object: put answers with a bool, get with a value
// or nothing, both has two arguments.
type anyMachine struct {
	a *automata.Automaton
	s automata.State
}

func (m *anyMachine) call(method string, args ...string) *automata.Transition {
	l := history.Label{Kind: history.Kind{Method: method, Outcome: history.Pending}}
	for _, a := range args {
		l.Args = append(l.Args, history.Value(a))
	}
	for i := range m.a.Locations[m.s.Location].Transitions {
		t := &m.a.Locations[m.s.Location].Transitions[i]
		if t.Method != method || !holds(m.s, t.Guard, l.Args) {
			continue
		}
		rets := make([]automata.Term, len(t.Rets))
		copy(rets, t.Rets)
		for i, r := range rets {
			rets[i] = automata.Term{Kind: automata.Constant, Value: valueOf(m.s, r, l.Args)}
		}
		answer := &automata.Transition{Outcome: t.Outcome, Rets: rets}
		next := automata.State{Location: t.To, Counters: m.s.Counters, Keyed: m.s.Keyed}
		for _, r := range t.Load {
			next.Registers = append(next.Registers, valueOf(m.s, r, l.Args))
		}
		m.s = next
		return answer
	}
	panic("no transition")
}

func holds(s automata.State, guard []automata.Condition, args []history.Value) bool {
	for _, g := range guard {
		if (valueOf(s, g.Left, args) == valueOf(s, g.Right, args)) != (g.Op == automata.Equal) {
			return false
		}
	}
	return true
}

func valueOf(s automata.State, t automata.Term, args []history.Value) history.Value {
	switch t.Kind {
	case automata.Register:
		return s.Registers[t.Index]
	case automata.Argument:
		return args[t.Index]
	}
	return t.Value
}

func (m *anyMachine) put(x string) bool { return m.call("put", x).Outcome == history.True }

func (m *anyMachine) get() (string, bool) {
	t := m.call("get")
	if t.Outcome == history.Nil {
		return "", false
	}
	return string(t.Rets[0].Value), true
}

func (m *anyMachine) both(x, y string) bool { return m.call("both", x, y).Outcome == history.True }

// implementation is a machine as a reference.
func implementation(tb testing.TB, a *automata.Automaton) reference.Implementation {
	tb.Helper()
	impl, err := reference.New(reference.Spec{
		Name: "machine",
		New:  func() *anyMachine { return &anyMachine{a, a.Start()} },
		Operations: []reference.Operation{
			{Name: "put", Func: (*anyMachine).put},
			{Name: "get", Func: (*anyMachine).get},
			{Name: "both", Func: (*anyMachine).both},
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { impl.Close() })
	return impl
}

// randomAutomaton has up to three locations with up to two registers.
func randomAutomaton(r *rand.Rand) *automata.Automaton {
	sig := func(name string, args int, outcomes ...history.OutcomeSig) history.MethodSig {
		return history.MethodSig{Name: name, Args: args, Outcomes: outcomes}
	}
	bools := []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}
	a := &automata.Automaton{Methods: []history.MethodSig{sig("put", 1, bools...), sig("get", 0, history.OutcomeSig{Outcome: history.Some, Rets: 1}, history.OutcomeSig{Outcome: history.Nil}), sig("both", 2, bools...)}}
	a.Locations = make([]automata.Location, 1+r.IntN(3))
	for i := range a.Locations {
		for k := range r.IntN(3) {
			if i > 0 {
				a.Locations[i].Registers = append(a.Locations[i].Registers, string(rune('p'+k)))
			}
		}
	}
	for i := range a.Locations {
		l := &a.Locations[i]
		for _, m := range a.Methods {
			for _, guard := range guards(len(l.Registers), m.Args) {
				l.Transitions = append(l.Transitions, randomTransition(r, a, l, &m, guard))
			}
		}
	}
	return a
}

// guards tell the first argument from each register, and then the second from the
// first one.
func guards(registers, args int) (all [][]automata.Condition) {
	if args == 0 {
		return [][]automata.Condition{nil}
	}
	x := automata.Term{Kind: automata.Argument}
	var others []automata.Condition
	for r := range registers {
		reg := automata.Term{Kind: automata.Register, Index: r}
		all = append(all, append(others[:r:r], automata.Condition{Left: x, Op: automata.Equal, Right: reg}))
		others = append(others, automata.Condition{Left: x, Op: automata.Differs, Right: reg})
	}
	if args == 1 {
		return append(all, others)
	}
	y := automata.Term{Kind: automata.Argument, Index: 1}
	for _, op := range []automata.Op{automata.Equal, automata.Differs} {
		all = append(all, append(others[:registers:registers], automata.Condition{Left: x, Op: op, Right: y}))
	}
	return all
}

func randomTransition(r *rand.Rand, a *automata.Automaton, l *automata.Location, m *history.MethodSig, guard []automata.Condition) automata.Transition {
	var terms []automata.Term
	for k := range l.Registers {
		terms = append(terms, automata.Term{Kind: automata.Register, Index: k})
	}
	t := automata.Transition{Method: m.Name, Guard: guard, To: r.IntN(len(a.Locations))}
	o := m.Outcomes[r.IntN(len(m.Outcomes))]
	if o.Rets > len(l.Registers) {
		o = m.Outcomes[1]
	}
	t.Outcome = o.Outcome
	for range o.Rets {
		t.Rets = append(t.Rets, terms[r.IntN(len(terms))])
	}
	for k := range m.Args {
		terms = append(terms, automata.Term{Kind: automata.Argument, Index: k})
	}
	if len(terms) == 0 {
		terms = append(terms, automata.Term{Kind: automata.Constant, Value: "c"})
	}
	for range a.Locations[t.To].Registers {
		t.Load = append(t.Load, terms[r.IntN(len(terms))])
	}
	return t
}

// changed has another transition somewhere.
func changed(r *rand.Rand, a *automata.Automaton) *automata.Automaton {
	b := *a
	b.Locations = append([]automata.Location(nil), a.Locations...)
	l := &b.Locations[r.IntN(len(b.Locations))]
	l.Transitions = append([]automata.Transition(nil), l.Transitions...)
	t := &l.Transitions[r.IntN(len(l.Transitions))]
	for i := range a.Methods {
		if a.Methods[i].Name == t.Method {
			*t = randomTransition(r, a, l, &a.Methods[i], t.Guard)
		}
	}
	return &b
}
