package automata

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// A maker makes random automata.
type maker struct {
	*rand.Rand
	a       *Automaton
	counted bool // counters, and sums of them
}

func (m *maker) pick(names ...string) string { return names[m.IntN(len(names))] }

// automaton makes a valid one: guards are those of decision lists, and each location
// is reached from the one before it.
func (m *maker) automaton() *Automaton {
	m.a = &Automaton{}
	outcomes := []history.OutcomeSig{{Outcome: history.None}, {Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}, {Outcome: history.True},
		{Outcome: "full-up", Rets: 2}, {Outcome: "r", Rets: 1}, {Outcome: "new"}, {Outcome: history.Error, Rets: 1}}
	for i := range 1 + m.IntN(3) {
		sig := history.MethodSig{Name: []string{"put", "if", "été_"}[i], Args: m.IntN(3)}
		for _, j := range m.Perm(len(outcomes))[:1+m.IntN(3)] {
			sig.Outcomes = append(sig.Outcomes, outcomes[j])
		}
		m.a.Methods = append(m.a.Methods, sig)
	}
	if m.counted {
		m.counters()
	}
	for i := range 1 + m.IntN(4) {
		m.a.Locations = append(m.a.Locations, Location{Registers: []string{"r", "s", "holds"}[:m.IntN(4)]})
		if len(m.a.Locations[i].Registers) == 0 {
			m.a.Locations[i].Registers = nil
		}
		m.a.Locations[i].Name = []string{"free", "r", "3", "a-b"}[i]
	}
	if len(m.a.Locations) == 1 {
		m.a.Locations[0].Name = ""
	}
	for range m.a.Locations[0].Registers {
		m.a.Initial = append(m.a.Initial, m.value())
	}
	for i := range m.a.Locations {
		for j := range m.a.Methods {
			m.transitions(i, &m.a.Methods[j], j == 0 && i+1 < len(m.a.Locations))
		}
	}
	return m.a
}

func (m *maker) counters() {
	for _, name := range []string{"n", "balance", "x"}[:m.IntN(4)] {
		c := Counter{Name: name, Start: int64(m.IntN(5) - 2), Greatest: m.IntN(4) == 0}
		var with []history.MethodSig // an argument
		for _, s := range m.a.Methods {
			if s.Args > 0 {
				with = append(with, s)
			}
		}
		c.Keyed = len(with) > 0 && m.IntN(2) == 0
		for range m.IntN(3) {
			s := m.a.Methods[m.IntN(len(m.a.Methods))]
			if c.Keyed {
				s = with[m.IntN(len(with))]
			}
			add := Add{Kind: m.kind(&s), Times: []int64{1, -1, 2, -1 << 63, 1<<63 - 1}[m.IntN(5)], Arg: -1}
			if s.Args > 0 && m.IntN(2) == 0 {
				add.Arg = m.IntN(s.Args)
			}
			if c.Keyed {
				add.Key = m.IntN(s.Args)
			}
			if i := m.IntN(3); i < s.Args && i != add.Arg && !(c.Keyed && i == add.Key) {
				add.Where, add.Is = i+1, m.value()
			}
			c.Adds = append(c.Adds, add)
		}
		for range m.IntN(3) {
			if !c.Keyed {
				c.Reset = append(c.Reset, m.kind(&m.a.Methods[m.IntN(len(m.a.Methods))]))
			}
		}
		m.a.Counters = append(m.a.Counters, c)
	}
}

func (m *maker) kind(s *history.MethodSig) history.Kind {
	return history.Kind{Method: s.Name, Outcome: s.Outcomes[m.IntN(len(s.Outcomes))].Outcome}
}

func (m *maker) value() history.Value {
	return history.Value(m.pick("0", "-1", "", "a b", `"`, "9", "otherwise", "\xff", "日本", "-0", "007", "99999999999999999999"))
}

// term is one that may stand in a guard; rets are how many answers there are.
func (m *maker) term(l *Location, s *history.MethodSig, rets int) Term {
	switch n := m.IntN(5); {
	case n == 0 && len(l.Registers) > 0:
		return Term{Kind: Register, Index: m.IntN(len(l.Registers))}
	case n <= 1 && s.Args > 0:
		return Term{Kind: Argument, Index: m.IntN(s.Args)}
	case n == 2 && rets > 0:
		return Term{Kind: Answer, Index: m.IntN(rets)}
	case n == 3 && m.counted:
		return m.sum(s)
	}
	return Term{Kind: Constant, Value: m.value()}
}

func (m *maker) sum(s *history.MethodSig) Term {
	t := Term{Kind: Total, Sum: Sum{Constant: []int64{0, 1, -1, 1<<63 - 1, -1 << 63}[m.IntN(5)]}}
	for range m.IntN(4) {
		x := Summand{Times: []int64{1, -1, 3, -1 << 63}[m.IntN(4)], Counter: -1}
		switch {
		case len(m.a.Counters) > 0 && m.IntN(3) > 0:
			x.Counter = m.IntN(len(m.a.Counters))
			if m.a.Counters[x.Counter].Keyed {
				if s.Args == 0 {
					continue
				}
				x.Key = m.IntN(s.Args)
			}
		case s.Args == 0:
			continue
		default:
			x.Arg = m.IntN(s.Args)
		}
		t.Sum.Terms = append(t.Sum.Terms, x)
	}
	return t.normal()
}

func (m *maker) condition(l *Location, s *history.MethodSig) Condition {
	c := Condition{Left: m.term(l, s, 0), Op: Op(m.IntN(2)), Right: m.term(l, s, 0)}
	if m.counted && m.IntN(2) == 0 {
		c = Condition{Left: m.sum(s), Op: Less + Op(m.IntN(2)), Right: Term{Kind: Constant, Value: history.Value(strconv.Itoa(m.IntN(9) - 4))}}
	}
	return c
}

// transitions makes those of a method in a location, as a decision list; one of them
// leads to the next location if on.
func (m *maker) transitions(location int, s *history.MethodSig, on bool) {
	l := &m.a.Locations[location]
	var not []Condition
	lines := m.IntN(3)
	for i := range lines + 1 {
		t := Transition{Method: s.Name, Guard: slices.Clone(not)}
		if i < lines {
			c := m.condition(l, s)
			t.Guard, not = append(t.Guard, c), append(not, c.not())
		}
		if m.IntN(8) == 0 && !on {
			t.Blocks = true
		} else {
			m.does(l, s, &t, on, location)
		}
		l.Transitions = append(l.Transitions, t)
	}
}

func (m *maker) does(l *Location, s *history.MethodSig, t *Transition, on bool, location int) {
	o := s.Outcomes[m.IntN(len(s.Outcomes))]
	t.Outcome, t.To = o.Outcome, m.IntN(len(m.a.Locations))
	if on {
		t.To = location + 1
	}
	for range o.Rets {
		r := m.term(l, s, 0)
		if m.IntN(4) == 0 {
			r = Term{Kind: Fresh + TermKind(m.IntN(2))}
		}
		t.Rets = append(t.Rets, r)
	}
	for range m.a.Locations[t.To].Registers {
		t.Load = append(t.Load, m.term(l, s, o.Rets))
	}
}

// TestRoundTrip: what is written is read as the same automaton.
func TestRoundTrip(t *testing.T) {
	testsize.NeedsLong(t)
	valid := 0
	for seed := range testsize.Samples(10_000) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 1)), counted: seed%2 == 0}
		a := m.automaton()
		text := a.String()
		if err := a.Validate(); err != nil {
			if m.counted && strings.Contains(err.Error(), "transition") {
				continue // sums that are related
			}
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		valid++
		got, err := Parse(text, a.Methods)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if diff := cmp.Diff(a, got); diff != "" {
			t.Fatalf("seed %d: -made +read:\n%s\n%s", seed, diff, text)
		}
		if again := got.String(); again != text {
			t.Fatalf("seed %d: -once +twice:\n%s", seed, cmp.Diff(text, again))
		}
		m.broken(t, seed, text)
	}
	if valid < int(testsize.Samples(10_000)/2) {
		t.Errorf("only %d valid automata", valid)
	}
}

// broken makes a change in a text: it is an error with a place, or another automaton
// that is written and read.
func (m *maker) broken(t *testing.T, seed uint64, text string) {
	at := m.IntN(len(text))
	edits := []string{
		text[:at] + text[at+1:], text[:at] + m.pick("(", ")", " ", "x", "-", "=", ",", "\n", "\"", "é", "9", "if ", "[") + text[at:],
		text[:at], text[at:], strings.Replace(text, m.pick("r", "x", "otherwise", "=", ">=", "(free)", "-> "), m.pick("s", "blocks", "", "<"), 1),
	}
	edited := edits[m.IntN(len(edits))]
	a, err := Parse(edited, m.a.Methods)
	if err != nil {
		placed(t, edited, err)
		return
	}
	once := a.String()
	again, err := Parse(once, m.a.Methods)
	if err != nil || again.String() != once {
		t.Fatalf("seed %d: %v\n%s\nwas read as\n%s", seed, err, edited, once)
	}
}

// placed checks that an error has a place in the text.
func placed(t *testing.T, text string, err error) {
	t.Helper()
	e, ok := err.(*history.ParseError)
	if !ok {
		t.Fatalf("%T: %v", err, err)
	}
	lines := strings.Split(text, "\n")
	if e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Col < 1 || e.Pos.Col > len([]rune(lines[e.Pos.Line-1]))+1 {
		t.Fatalf("%v is no place in\n%s", err, text)
	}
}

// TestSame: an automaton that was written and read takes the same steps.
func TestSame(t *testing.T) {
	steps := 0
	for seed := range testsize.Samples(2000) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 2)), counted: true}
		a := m.automaton()
		b, err := Parse(a.String(), a.Methods)
		if err != nil {
			continue
		}
		s, r := a.Start(), b.Start()
		for range 20 {
			sig := &a.Methods[m.IntN(len(a.Methods))]
			l := history.Label{Kind: history.Kind{Method: sig.Name}}
			for range sig.Args {
				l.Args = append(l.Args, history.Value(strconv.Itoa(m.IntN(4)-1)))
			}
			next, ok := a.Step(s, &l)
			also, same := b.Step(r, &l)
			if ok != same || !reflect.DeepEqual(next, also) {
				t.Fatalf("seed %d: %v: %v %v, then %v %v\n%s", seed, l, next, ok, also, same, a)
			}
			if ok {
				s, r, steps = next, also, steps+1
			}
		}
	}
	if steps < 1000 {
		t.Errorf("%d steps", steps)
	}
}

// TestTotal compares Validate with trying all calls with few values: whatever
// registers and counters hold, and in all states that can be reached.
func TestTotal(t *testing.T) {
	verdicts := map[string]int{}
	for seed := range testsize.Samples(2000) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 3))}
		a := m.guarded()
		anywhere, reached := trial(a, true), trial(a, false)
		err := a.Validate()
		switch {
		case err == nil && reached != "":
			t.Fatalf("seed %d: accepted, but %s\n%s", seed, reached, a)
		case err != nil && anywhere == "":
			t.Fatalf("seed %d: %v\n%s", seed, err, a)
		}
		verdicts[fmt.Sprint(err == nil, anywhere == "", reached == "")]++
	}
	for _, v := range []string{"true true true", "true false true", "false false false"} {
		if verdicts[v] < 10 {
			t.Errorf("verdicts (valid, right whatever registers hold, right where it gets) %v", verdicts)
		}
	}
}

// guarded makes an automaton of two locations and a counter whose guards may be wrong.
func (m *maker) guarded() *Automaton {
	keeps := m.IntN(2) == 0 // registers as they are, compared with one argument
	a := &Automaton{
		Methods:  []history.MethodSig{{Name: "m", Args: 2, Outcomes: []history.OutcomeSig{{Outcome: history.None}}}},
		Counters: []Counter{{Name: "n"}}, Initial: []history.Value{"0", "1"},
		Locations: []Location{{Name: "a", Registers: []string{"r", "s"}}, {Name: "b", Registers: []string{"r"}}},
	}
	m.a = a
	for i := range a.Locations {
		l := &a.Locations[i]
		var not []Condition
		n := m.IntN(3)
		if keeps {
			n = len(l.Registers)
		}
		for j := 0; j <= n; j++ {
			t := Transition{Method: "m", Outcome: history.None, To: (i + j) % 2, Guard: slices.Clone(not)}
			if i == 0 && n == 0 {
				t.To = 1
			}
			if j < n {
				c := Condition{Left: m.item(l), Op: Op(m.IntN(4)), Right: m.item(l)}
				if keeps {
					c = Condition{Left: Term{Kind: Argument}, Right: Term{Kind: Register, Index: j % len(l.Registers)}}
				} else if c.Op >= Less {
					c.Left = Term{Kind: Total, Sum: Sum{Constant: int64(m.IntN(2)), Terms: []Summand{{Times: int64(1 - 2*m.IntN(2)), Counter: 0}}}}
					c.Right = Term{Kind: Constant, Value: history.Value(strconv.Itoa(m.IntN(3)))}
				}
				t.Guard, not = append(t.Guard, c), append(not, c.not())
			}
			if len(t.Guard) == 2 && keeps && j < n {
				t.Guard = t.Guard[1:]
			} else if len(t.Guard) > 0 && m.IntN(4) == 0 { // leave out a condition
				k := m.IntN(len(t.Guard))
				t.Guard = slices.Delete(t.Guard, k, k+1)
			}
			for k := range a.Locations[t.To].Registers {
				t.Load = append(t.Load, m.item(l))
				if keeps && t.To == 0 {
					t.Load[k] = Term{Kind: Register, Index: k % len(l.Registers)}
					if i == 1 {
						t.Load[k] = Term{Kind: Constant, Value: history.Value(strconv.Itoa(k))}
					}
				}
			}
			l.Transitions = append(l.Transitions, t)
		}
	}
	return a
}

func (m *maker) item(l *Location) Term {
	switch m.IntN(5) {
	case 0:
		return Term{Kind: Constant, Value: history.Value(strconv.Itoa(m.IntN(2)))}
	case 1, 2:
		return Term{Kind: Argument, Index: m.IntN(2)}
	}
	return Term{Kind: Register, Index: m.IntN(len(l.Registers))}
}

// trial tries all calls in all states, or in those that are reached. It says which call
// has none or two transitions, or "".
func trial(a *Automaton, anywhere bool) string {
	values, numbers := []history.Value{"0", "1", "7", "8", "9"}, []int64{0}
	if strings.Contains(a.String(), "<") || strings.Contains(a.String(), ">") {
		numbers = []int64{-3, -2, -1, 0, 1, 2, 3}
	}
	var states []State
	seen := map[string]bool{}
	add := func(s State) {
		for _, n := range numbers {
			s.Counters = []int64{n}
			if key := fmt.Sprint(s); !seen[key] {
				seen[key] = true
				states = append(states, s)
			}
		}
	}
	add(a.Start())
	if anywhere {
		for _, v := range values {
			add(State{Location: 1, Registers: []history.Value{v}})
			for _, w := range values {
				add(State{Location: 0, Registers: []history.Value{v, w}})
			}
		}
	}
	for i := 0; i < len(states); i++ {
		s := states[i]
		for _, v := range values {
			for _, w := range values {
				args, holds := []history.Value{v, w}, 0
				for _, t := range a.Locations[s.Location].Transitions {
					if !a.admits(&s, &t, args) {
						continue
					}
					holds++
					next := State{Location: t.To}
					for _, l := range t.Load {
						next.Registers = append(next.Registers, a.value(&s, &l, args, nil))
					}
					if !anywhere {
						add(next)
					}
				}
				if holds != 1 {
					return fmt.Sprintf("m(%s, %s) has %d transitions in %v", v, w, holds, s)
				}
			}
		}
	}
	return ""
}

// FuzzParse: no text makes Parse panic, and what it accepts is written and read
// without change.
func FuzzParse(f *testing.F) {
	for _, d := range drawn {
		f.Add(d.text)
	}
	f.Add("tryLock => true\nunlock\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range drawn {
			methods := sig(t, d.methods)
			a, err := Parse(text, methods)
			if err != nil {
				placed(t, text, err)
				continue
			}
			once := a.String()
			again, err := Parse(once, methods)
			if err != nil || again.String() != once {
				t.Fatalf("%v\n%s\nwas read as\n%s", err, text, once)
			}
		}
	})
}
