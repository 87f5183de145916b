package counters_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/counters"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// machine is an automaton as a reference.
type machine struct {
	automata.Automaton
	integer []bool // of each method: its argument is one, not a name
	told    []bool // of each method: its argument is true or false
	loader  int    // the method that loads the register, if there is one
}

func (m *machine) Name() string { return "machine" }
func (m *machine) Close() error { return nil }

func (m *machine) Methods() (all []reference.Method) {
	for i, s := range m.Automaton.Methods {
		r := reference.Method{Name: s.Name, GoName: s.Name}
		for range s.Args {
			b := values.Basic{Kind: values.KindString}
			domain := 0
			switch {
			case m.told[i]:
				b, domain = values.Basic{Kind: values.KindBool}, 2
			case m.integer[i]:
				b = values.Basic{Kind: values.KindInt, Bits: 64}
			}
			r.Args, r.Params, r.ArgDomain = append(r.Args, b.Kind), append(r.Params, b), append(r.ArgDomain, domain)
		}
		for _, o := range s.Outcomes {
			r.Outcomes = append(r.Outcomes, reference.OutcomeArity{OutcomeSig: o})
		}
		r.Results = []values.Basic{{Kind: values.KindInt, Bits: 64}}
		r.Rets = []string{"int"}
		all = append(all, r)
	}
	return all
}

func (m *machine) Replay(_ context.Context, seqs [][]reference.Call) (all [][]reference.Answer, err error) {
	for _, seq := range seqs {
		s, answers := m.Start(), []reference.Answer(nil)
		for _, c := range seq {
			call := history.Label{Kind: history.Kind{Method: m.Automaton.Methods[c.Method].Name}, Args: c.Values}
			l, ok := m.Answer(s, &call)
			if !ok {
				answers = append(answers, reference.Answer{Blocked: true})
				break
			}
			s, _ = m.Step(s, &l)
			a := reference.Answer{Outcome: l.Outcome}
			for _, v := range l.Rets {
				a.Rets = append(a.Rets, "("+v+")")
			}
			answers = append(answers, a)
		}
		all = append(all, answers)
	}
	return all, nil
}

// random makes a machine of up to four methods that count in one or two counters.
func random(r *rand.Rand) *machine {
	m := &machine{}
	n := 2 + r.IntN(3)
	for i := range n {
		s := history.MethodSig{Name: fmt.Sprintf("m%d", i), Args: r.IntN(2)}
		told := s.Args > 0 && r.IntN(4) == 0
		m.told, m.integer = append(m.told, told), append(m.integer, !told && (s.Args == 0 || r.IntN(2) == 0))
		switch r.IntN(3) {
		case 0:
			s.Outcomes = []history.OutcomeSig{{Outcome: history.None}}
		case 1:
			s.Outcomes = []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}
		case 2:
			s.Outcomes = []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}
		}
		m.Automaton.Methods = append(m.Automaton.Methods, s)
	}
	for i := range 1 + r.IntN(2) {
		c := automata.Counter{Name: fmt.Sprintf("c%d", i)}
		for range 1 + r.IntN(3) {
			j := r.IntN(n)
			s := &m.Automaton.Methods[j]
			a := automata.Add{Kind: history.Kind{Method: s.Name, Outcome: s.Outcomes[0].Outcome}, Times: int64(1 - 2*r.IntN(2)), Arg: -1}
			if s.Args > 0 && m.integer[j] {
				a.Arg = 0
			}
			if m.told[j] {
				a.Where, a.Is = 1, history.Value(strconv.FormatBool(r.IntN(2) == 0))
			}
			if !slices.ContainsFunc(c.Adds, func(b automata.Add) bool { return b.Kind == a.Kind }) {
				c.Adds = append(c.Adds, a)
			}
		}
		first := c.Adds[0]
		c.Greatest = len(c.Adds) == 1 && first.Arg == 0 && first.Times == 1 && r.IntN(2) == 0
		m.Counters = append(m.Counters, c)
	}
	m.Locations = []automata.Location{{}}
	m.loader = slices.Index(m.integer, true)
	if m.loader >= 0 && m.Automaton.Methods[m.loader].Args > 0 && r.IntN(2) == 0 {
		m.Locations[0].Registers, m.Initial = []string{"r"}, []history.Value{history.Value(strconv.Itoa(r.IntN(3)))}
	}
	for j := range m.Automaton.Methods {
		m.transitions(r, j)
	}
	return m
}

// cell has the transitions of a method keep a register, or load it, and some answer with it.
func (m *machine) cell(r *rand.Rand, j int, ts ...*automata.Transition) {
	if len(m.Locations[0].Registers) == 0 {
		return
	}
	for i, t := range ts {
		t.Load = []automata.Term{{Kind: automata.Register}}
		if j == m.loader && i == 0 {
			t.Load[0] = automata.Term{Kind: automata.Argument}
		}
		if len(t.Rets) > 0 && r.IntN(2) == 0 {
			t.Rets[0] = automata.Term{Kind: automata.Register}
		}
	}
}

// transitions gives a method answers.
func (m *machine) transitions(r *rand.Rand, j int) {
	s, all := &m.Automaton.Methods[j], &m.Locations[0].Transitions
	total := func(constant int) automata.Term {
		sum := automata.Sum{Constant: int64(constant), Terms: []automata.Summand{{Times: 1, Counter: r.IntN(len(m.Counters))}}}
		return automata.Term{Kind: automata.Total, Sum: sum}
	}
	t := automata.Transition{Method: s.Name, Outcome: s.Outcomes[0].Outcome}
	if s.Outcomes[0].Rets > 0 {
		t.Rets = []automata.Term{total(r.IntN(5) - 2)}
	}
	if len(s.Outcomes) == 1 {
		m.cell(r, j, &t)
		*all = append(*all, t)
		return
	}
	right := automata.Term{Kind: automata.Constant, Value: history.Value(strconv.Itoa(r.IntN(12) - 5))}
	if s.Args > 0 && m.integer[j] && r.IntN(2) == 0 {
		right = automata.Term{Kind: automata.Argument}
	}
	left := total(0)
	f := t
	f.Outcome = s.Outcomes[1].Outcome
	t.Guard = []automata.Condition{{Left: left, Op: automata.Less, Right: right}}
	f.Guard = []automata.Condition{{Left: left, Op: automata.AtLeast, Right: right}}
	m.cell(r, j, &t, &f)
	*all = append(*all, t, f)
}

// reckons reports whether an answer or a condition depends on a counter.
func (m *machine) reckons() bool {
	return slices.ContainsFunc(m.Locations[0].Transitions, func(t automata.Transition) bool {
		return slices.ContainsFunc(t.Rets, func(x automata.Term) bool { return x.Kind == automata.Total }) || len(t.Guard) > 0
	})
}

// TestMachines finds machines again that were made at random.
func TestMachines(t *testing.T) {
	testsize.NeedsLong(t)
	odd, all := uint64(0), testsize.Samples(40) // odd ones have an answer that never comes, or only where sums wrap around
	for seed := range all {
		r := rand.New(rand.NewPCG(seed, 7))
		m := random(r)
		if err := m.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found, err := counters.Find(t.Context(), m)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if strings.Contains(found.Why, "large integers") || strings.Contains(found.Why, "never answered") {
			odd++
			continue
		}
		if !found.Whole && !m.reckons() {
			odd++ // registers alone are for another package
			continue
		}
		if !found.Whole {
			t.Errorf("seed %d: not found, because %s:\n%s", seed, found.Why, &m.Automaton)
			continue
		}
		for range 200 {
			s, u := m.Start(), found.Automaton.Start()
			for range 30 {
				j := r.IntN(len(m.integer))
				call := history.Label{Kind: history.Kind{Method: m.Automaton.Methods[j].Name}}
				if m.Automaton.Methods[j].Args > 0 {
					call.Args = []history.Value{history.Value(strconv.Itoa(r.IntN(20) - 6))}
				}
				if m.told[j] {
					call.Args[0] = history.Value(strconv.FormatBool(r.IntN(2) == 0))
				}
				want, _ := m.Answer(s, &call)
				next, ok := found.Automaton.Step(u, &want)
				if !ok {
					t.Fatalf("seed %d: %v is not answered:\n%s\nfound:\n%s", seed, &want, &m.Automaton, found.Automaton)
				}
				s, _ = m.Step(s, &want)
				u = next
			}
		}
	}
	if odd > all*2/3 {
		t.Errorf("%d of %d machines are odd", odd, all)
	}
}
