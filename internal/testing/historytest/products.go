package historytest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// machine is what the operations of one key are: a random machine with six states,
// written as numbers, the first "" or 0. Half of a state is what tick alone leads to.
type machine struct {
	act  [2][3][6]int // by 0 or value, third of the state
	yes  [2][3][6]bool
	tick [6]int
	size [6]int
}

func newMachine(r *rand.Rand) *machine {
	m := &machine{}
	for s := range 6 {
		for v := range 3 {
			for k := range 2 {
				m.act[k][v][s], m.yes[k][v][s] = r.IntN(3)*2+s%2, r.IntN(2) == 0
			}
		}
		m.tick[s], m.size[s] = r.IntN(3)*2+1-s%2, r.IntN(3)
	}
	for s := range 6 {
		m.size[s] *= 1 - m.untouched(s)
	}
	return m
}

// untouched is 1 for the states that ticks alone lead to.
func (m *machine) untouched(state int) int {
	at := 0
	for range 7 {
		if at == state {
			return 1
		}
		at = m.tick[at]
	}
	return 0
}

func numberOf[T ~string](s T) int { n, _ := strconv.Atoi(string(s)); return n }

// part is the machine as a data type.
func (m *machine) part(state string, l *history.Label) []Way {
	s := numberOf(state)
	told := func(yes bool, next int) []Way {
		return []Way{{Outcome: map[bool]history.Outcome{true: history.True, false: history.False}[yes], Next: strconv.Itoa(next)}}
	}
	switch l.Method {
	case "tick":
		return told(s%2 == 0, m.tick[s])
	case "flip":
		return told(m.yes[0][0][s], m.act[0][0][s])
	case "put":
		v := numberOf(l.Args[0])
		if m.yes[1][v][s] {
			return []Way{{Outcome: history.Some, Rets: []history.Value{"key"}, Next: strconv.Itoa(m.act[1][v][s])}}
		}
		return told(m.yes[1][v][s], m.act[1][v][s])
	}
	return []Way{{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(m.size[s]))}, Next: state}}
}

// whole is the product, written without theory.Product: its state is what tick led
// to, and key=state for each key that was touched.
func (m *machine) whole(state string, l *history.Label) []Way {
	fields := strings.Fields(state)
	if len(fields) == 0 {
		fields = []string{"0"}
	}
	switch fields = slices.Clone(fields); l.Method {
	case "tick":
		for i, f := range fields {
			key, at, keyed := strings.Cut(f, "=")
			if !keyed {
				key, at = "", key
			} else {
				key += "="
			}
			fields[i] = key + strconv.Itoa(m.tick[numberOf(at)])
		}
		w := m.part(strings.Fields(state + " 0")[0], l)
		w[0].Next = strings.Join(fields, " ")
		return w
	case "size":
		sum := 0
		for _, f := range fields[1:] {
			sum += m.size[numberOf(f[strings.Index(f, "=")+1:])]
		}
		return []Way{{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(sum))}, Next: state}}
	}
	part := history.Label{Kind: l.Kind, Args: l.Args[:len(l.Args)-1]}
	at, prefix := fields[0], string(l.Args[len(l.Args)-1])+"="
	fields = append(fields, prefix+at)
	i := slices.IndexFunc(fields, func(f string) bool { return strings.HasPrefix(f, prefix) })
	if i < len(fields)-1 {
		fields = fields[:len(fields)-1]
	}
	w := m.part(fields[i][len(prefix):], &part)
	for n := range w[0].Rets {
		w[0].Rets[n] = l.Args[len(l.Args)-1]
	}
	fields[i] = prefix + w[0].Next
	slices.Sort(fields[1:])
	w[0].Next = strings.Join(fields, " ")
	return w
}

var machineKeys = []theory.Key{
	{Method: "put", Role: theory.ByKey, Arg: 1, Ret: 1}, {Method: "flip", Role: theory.ByKey},
	{Method: "tick", Role: theory.InAll}, {Method: "size", Role: theory.SumOfAll},
}

// RandomProduct is a product of random machines whose methods have these roles, and one
// of the machines.
func RandomProduct(r *rand.Rand, roles ...theory.KeyRole) (whole Described, part Model) {
	m := newMachine(r)
	p := &theory.Product{Part: theory.Spec{Width: 1}}
	s := theory.Spec{Width: 1, Product: p}
	for i, sig := range signatures("put 2 value true false", "flip 1 true false", "tick 0 true false", "size 0 value") {
		if k := machineKeys[i]; slices.Contains(roles, k.Role) {
			p.Keys, s.Methods = append(p.Keys, k), append(s.Methods, sig)
			if k.Role == theory.ByKey {
				sig.Args--
			}
			p.Part.Methods = append(p.Part.Methods, sig)
		}
	}
	p.Part.Automaton = m.automaton(p.Part.Methods)
	t := Type{Name: "machines", Model: m.whole}
	value := func(n int) history.Value { return history.Value(strconv.Itoa(1 + r.IntN(n))) }
	t.Draw = func(r *rand.Rand, e *history.Execution) history.Label {
		sig := s.Methods[r.IntN(len(s.Methods))]
		return history.Label{Kind: history.Kind{Method: sig.Name}, Args: []history.Value{value(2), value(3)}[2-sig.Args:]}
	}
	t.Spoil = func(r *rand.Rand, _ *history.Execution, o *history.Operation) {
		switch o.Outcome, o.Rets = history.True, nil; {
		case o.Method == "put" && r.IntN(4) == 0:
			o.Outcome, o.Rets = history.Some, []history.Value{"key"}
		case o.Method == "size", o.Method == "put" && r.IntN(2) == 0:
			o.Outcome, o.Rets = history.Some, []history.Value{value(3)}
		}
	}
	return Described{t, &theory.Theory{Name: t.Name, Spec: s}}, m.part
}

// automaton is the machine as one. Values of put are 1, 2 and others, which are as none.
func (m *machine) automaton(methods []history.MethodSig) *automata.Automaton {
	a := &automata.Automaton{Methods: methods}
	for s := range 6 {
		l := location("s"+strconv.Itoa(s), 0)
		for _, sig := range methods {
			values := []int{0}
			if sig.Args == 1 {
				values = []int{1, 2, 0}
			}
			for _, v := range values {
				label := history.Label{Kind: history.Kind{Method: sig.Name}, Args: []history.Value{number(v)}[:sig.Args]}
				w := m.part(strconv.Itoa(s), &label)[0]
				t := automata.Transition{Method: sig.Name, Outcome: w.Outcome, To: numberOf(w.Next)}
				for _, r := range w.Rets {
					t.Rets = append(t.Rets, automata.Term{Kind: automata.Constant, Value: r})
				}
				for _, u := range values[:len(values)-1] {
					is := automata.Condition{Left: argument(0), Op: automata.Equal, Right: automata.Term{Kind: automata.Constant, Value: number(u)}}
					if v == 0 {
						is.Op = automata.Differs
					}
					if v == 0 || u == v {
						t.Guard = append(t.Guard, is)
					}
				}
				l.Transitions = append(l.Transitions, t)
			}
		}
		a.Locations = append(a.Locations, l)
	}
	return a
}
