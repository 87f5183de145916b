package configurations_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestSearch: the search over automata and products finds the verdict and the shortest
// prefix that trying everything finds, as a whole and by key.
func TestSearch(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			m := configurations.Searched(&typ.Theory.Spec)
			_, byKey := m.(wgl.Keyed)
			if byKey != (typ.Name == "store" || typ.Name == "members" || typ.Name == "tallies") {
				t.Errorf("by key: %t", byKey)
			}
			violations := 0
			n := testsize.Samples(10_000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 1))
				typ := typ
				if seed%2 == 0 {
					typ.Lost = 4
				}
				e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
				want := typ.Model.ShortestViolation(e)
				for _, partition := range []bool{false, true} {
					got, err := wgl.Check(t.Context(), m.For(e), e, wgl.Options{Partition: partition})
					if err != nil || got.Prefix != want || got.Linearizable != (want == 0) || partition && byKey != (got.Parts > 0) && len(e.Ops) > 0 {
						historytest.Fatal(t, e, "seed %d: %+v, %v; want %d", seed, got, err, want)
					}
				}
				if want > 0 {
					violations++
				}
			}
			if v := uint64(violations); v < n/20 || v > n-n/20 {
				t.Errorf("%d of %d are violations", violations, n)
			}
		})
	}
}

// generator makes random automata in which each call has one transition.
type generator struct {
	*rand.Rand
	a *automata.Automaton
}

func value(n int) history.Value { return history.Value(strconv.Itoa(n)) }

func randomAutomaton(r *rand.Rand) *automata.Automaton {
	g := generator{r, &automata.Automaton{}}
	for i := range 1 + r.IntN(3) {
		m := history.MethodSig{Name: string(rune('f' + i)), Args: r.IntN(3), Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}}
		g.a.Methods = append(g.a.Methods, m)
	}
	for i := range r.IntN(3) {
		g.counter("c" + strconv.Itoa(i))
	}
	for i := range 1 + r.IntN(3) {
		l := automata.Location{Name: "l" + strconv.Itoa(i), Registers: []string{"r", "s"}[:r.IntN(3)]}
		g.a.Locations = append(g.a.Locations, l)
	}
	for i := range g.a.Locations {
		for _, m := range g.a.Methods {
			g.transitions(&g.a.Locations[i], &m)
		}
	}
	for range g.a.Locations[0].Registers {
		g.a.Initial = append(g.a.Initial, value(r.IntN(3)))
	}
	return g.a
}

func (g generator) counter(name string) {
	c := automata.Counter{Name: name, Start: int64(g.IntN(3)), Greatest: g.IntN(4) == 0}
	for _, m := range g.a.Methods {
		k := history.Kind{Method: m.Name, Outcome: m.Outcomes[g.IntN(2)].Outcome}
		add := automata.Add{Kind: k, Times: int64(g.IntN(5) - 2), Arg: -1}
		if m.Args > 0 && g.IntN(2) == 0 {
			add.Arg = g.IntN(m.Args)
		}
		if i := g.IntN(3); i < m.Args && i != add.Arg {
			add.Where, add.Is = i+1, value(g.IntN(3))
		}
		if c.Keyed = m.Args > 0 && g.IntN(2) == 0; c.Keyed {
			add.Key = g.IntN(m.Args)
			add.Where = 0
			c.Adds, c.Reset = []automata.Add{add}, nil
			break
		}
		c.Adds = append(c.Adds, add)
		if g.IntN(6) == 0 {
			c.Reset = append(c.Reset, k)
		}
	}
	g.a.Counters = append(g.a.Counters, c)
}

// transitions covers the calls of a method: all, or what a condition splits.
func (g generator) transitions(l *automata.Location, m *history.MethodSig) {
	if g.IntN(3) == 0 {
		l.Transitions = append(l.Transitions, g.transition(l, m, nil))
		return
	}
	c := automata.Condition{Left: g.term(l, m), Op: automata.Equal, Right: g.term(l, m)}
	not := c
	not.Op = automata.Differs
	if g.IntN(2) == 0 {
		c.Op, not.Op = automata.Less, automata.AtLeast
	}
	l.Transitions = append(l.Transitions, g.transition(l, m, []automata.Condition{c}), g.transition(l, m, []automata.Condition{not}))
}

// term is one whose value is there before the answer.
func (g generator) term(l *automata.Location, m *history.MethodSig) automata.Term {
	var all []automata.Term
	for i := range l.Registers {
		all = append(all, automata.Term{Kind: automata.Register, Index: i})
	}
	for i := range m.Args {
		all = append(all, automata.Term{Kind: automata.Argument, Index: i})
	}
	sum := automata.Sum{Constant: int64(g.IntN(3) - 1)}
	for i, c := range g.a.Counters {
		if x := (automata.Summand{Times: int64(1 - 2*g.IntN(2)), Counter: i}); !c.Keyed {
			sum.Terms = append(sum.Terms, x)
		} else if m.Args > 0 {
			x.Key = g.IntN(m.Args)
			sum.Terms = append(sum.Terms, x)
		}
	}
	if m.Args > 0 && g.IntN(2) == 0 {
		sum.Terms = append(sum.Terms, automata.Summand{Times: 1, Counter: -1, Arg: g.IntN(m.Args)})
	}
	all = append(all, automata.Term{Kind: automata.Constant, Value: value(g.IntN(3))}, automata.Term{Kind: automata.Total, Sum: sum})
	return all[g.IntN(len(all))]
}

func (g generator) transition(l *automata.Location, m *history.MethodSig, guard []automata.Condition) automata.Transition {
	t := automata.Transition{Method: m.Name, Guard: guard, Outcome: m.Outcomes[g.IntN(2)].Outcome, Blocks: g.IntN(12) == 0, To: g.IntN(len(g.a.Locations))}
	if t.Outcome == history.Some {
		t.Rets = []automata.Term{g.term(l, m)}
		if n := g.IntN(8); n < 2 {
			t.Rets[0] = automata.Term{Kind: []automata.TermKind{automata.Fresh, automata.Any}[n]}
		}
	}
	for range g.a.Locations[t.To].Registers {
		x := g.term(l, m)
		if t.Outcome == history.Some && g.IntN(3) == 0 {
			x = automata.Term{Kind: automata.Answer}
		}
		t.Load = append(t.Load, x)
	}
	return t
}

// slowly is an automaton as its definition reads: terms are texts, and numbers of keys maps.
type slowly struct {
	*automata.Automaton
	location  int
	registers []history.Value
	counters  []map[history.Value]int64 // those of counters without keys have the key ""
}

func start(a *automata.Automaton) slowly {
	s := slowly{Automaton: a, registers: a.Initial}
	for range a.Counters {
		s.counters = append(s.counters, map[history.Value]int64{})
	}
	return s
}

// count is a counter's number; of one with keys that of an argument.
func (s slowly) count(i, key int, args []history.Value) (int64, history.Value) {
	k := history.Value("")
	if s.Counters[i].Keyed {
		k = args[key]
	}
	if n, ok := s.counters[i][k]; ok {
		return n, k
	}
	return s.Counters[i].Start, k
}

func (s slowly) value(t automata.Term, args, rets []history.Value) history.Value {
	switch t.Kind {
	case automata.Register:
		return s.registers[t.Index]
	case automata.Argument:
		return args[t.Index]
	case automata.Constant:
		return t.Value
	case automata.Answer:
		return rets[t.Index]
	}
	sum := t.Sum.Constant
	for _, x := range t.Sum.Terms {
		var n int64
		if x.Counter >= 0 {
			n, _ = s.count(x.Counter, x.Key, args)
		} else {
			n = number(args[x.Arg])
		}
		sum += x.Times * n
	}
	return history.Value(strconv.FormatInt(sum, 10))
}

func number(v history.Value) int64 {
	n, _ := strconv.ParseInt(string(v), 10, 64)
	return n
}

func (s slowly) holds(c automata.Condition, args []history.Value) bool {
	x, y := s.value(c.Left, args, nil), s.value(c.Right, args, nil)
	switch c.Op {
	case automata.Equal:
		return x == y
	case automata.Differs:
		return x != y
	case automata.Less:
		return number(x) < number(y)
	}
	return number(x) >= number(y)
}

// step is the state after a label that is answered.
func (s slowly) step(l *history.Label) (slowly, bool) {
	for _, t := range s.Locations[s.location].Transitions {
		if t.Method != l.Method || slices.ContainsFunc(t.Guard, func(c automata.Condition) bool { return !s.holds(c, l.Args) }) {
			continue
		}
		if t.Blocks || t.Outcome != l.Outcome || len(t.Rets) != len(l.Rets) {
			return s, false
		}
		for i, x := range t.Rets {
			known := slices.Contains(s.registers, l.Rets[i]) || slices.Contains(l.Args, l.Rets[i]) || s.mentions(l.Rets[i])
			if x.Kind == automata.Fresh && known || x.Kind < automata.Fresh && s.value(x, l.Args, nil) != l.Rets[i] {
				return s, false
			}
		}
		return s.after(t, l), true
	}
	return s, false
}

func (s slowly) after(t automata.Transition, l *history.Label) slowly {
	next := slowly{Automaton: s.Automaton, location: t.To}
	for _, x := range t.Load {
		next.registers = append(next.registers, s.value(x, l.Args, l.Rets))
	}
	for i, c := range s.Counters {
		next.counters = append(next.counters, maps.Clone(s.counters[i]))
		for _, add := range c.Adds {
			if add.Kind != l.Kind || add.Where > 0 && l.Args[add.Where-1] != add.Is {
				continue
			}
			n := add.Times
			if add.Arg >= 0 {
				n *= number(l.Args[add.Arg])
			}
			was, key := next.count(i, add.Key, l.Args)
			if next.counters[i][key] = was + n; c.Greatest {
				next.counters[i][key] = max(was, n)
			}
		}
		if slices.Contains(c.Reset, l.Kind) {
			next.counters[i][""] = c.Start
		}
	}
	return next
}

// mentions reports whether the text of the automaton has a value.
func (s slowly) mentions(v history.Value) bool {
	for _, c := range s.Counters {
		if slices.ContainsFunc(c.Adds, func(x automata.Add) bool { return x.Where > 0 && x.Is == v }) {
			return true
		}
	}
	for _, l := range s.Locations {
		for _, t := range l.Transitions {
			if slices.ContainsFunc(t.Terms(), func(x automata.Term) bool { return x.Kind == automata.Constant && x.Value == v }) {
				return true
			}
		}
	}
	return false
}

// ways are the answers of a call, each found by asking step.
func (s slowly) ways(call history.Label, values []history.Value) (all []history.Label) {
	for _, rets := range append([][]history.Value{nil}, singles(values)...) {
		l := call
		if l.Outcome = history.Nil; rets != nil {
			l.Outcome, l.Rets = history.Some, rets
		}
		if _, ok := s.step(&l); ok {
			all = append(all, l)
		}
	}
	return all
}

func singles(values []history.Value) (all [][]history.Value) {
	for _, v := range values {
		all = append(all, []history.Value{v})
	}
	return all
}

// TestStep: an automaton, and its Machine, take the steps that its definition says, right and
// wrong ones; equal states are equal, and others are not.
func TestStep(t *testing.T) {
	values := []history.Value{}
	for n := range 9 {
		values = append(values, value(n-3))
	}
	steps, refused, unseen := 0, 0, 0
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		a := randomAutomaton(r)
		m := a.Machine()
		if m.Unclear() {
			continue
		}
		slow, plain, fast := start(a), a.Start(), m.Init()
		texts := map[string]semantics.State{}
		for range 12 {
			sig := &a.Methods[r.IntN(len(a.Methods))]
			call := history.Label{Kind: history.Kind{Method: sig.Name}}
			for range sig.Args {
				call.Args = append(call.Args, value(r.IntN(3)))
			}
			possible := slow.ways(call, values)
			for _, l := range slow.ways(call, values[4:6]) {
				if _, ok := m.Step(fast, &l); !ok {
					t.Fatalf("seed %d: %s is refused", seed, &l)
				}
			}
			for _, l := range []history.Label{{Kind: history.Kind{Method: call.Method, Outcome: history.Nil}, Args: call.Args},
				{Kind: history.Kind{Method: call.Method, Outcome: history.Some}, Args: call.Args, Rets: []history.Value{values[r.IntN(9)]}}} {
				next, ok := m.Step(fast, &l)
				_, also := a.Step(plain, &l)
				if _, want := slow.step(&l); ok != want || also != want {
					t.Fatalf("seed %d: %s is %t and %t, want %t", seed, &l, ok, also, want)
				}
				unseen += blind(t, seed, m, fast, l)
				if !ok {
					refused++
				} else if m.ReadOnly(&l) && !next.Equal(fast) {
					t.Fatalf("seed %d: %s is read-only, and leads elsewhere", seed, &l)
				}
			}
			if len(possible) == 0 {
				continue
			}
			l := possible[r.IntN(len(possible))]
			before := fast
			slow, _ = slow.step(&l)
			plain, _ = a.Step(plain, &l)
			fast, _ = m.Step(fast, &l)
			if answers := m.Answers(before, &call); len(possible) == 1 && (len(answers) != 1 || answers[0].String() != l.String()) && !m.Free(l.Method) {
				t.Fatalf("seed %d: answers %v, want %s", seed, answers, &l)
			}
			steps++
			if got, want := m.Text(fast), slow.text(); got != want {
				t.Fatalf("seed %d: after %s in %q, want %q", seed, &l, got, want)
			}
			if same := texts[m.Text(fast)]; same != nil && (!same.Equal(fast) || same.Hash() != fast.Hash()) {
				t.Fatalf("seed %d: two states are %s", seed, m.Text(fast))
			}
			for other, s := range texts {
				if s.Equal(fast) != (other == m.Text(fast)) {
					t.Fatalf("seed %d: %q and %q", seed, other, m.Text(fast))
				}
			}
			texts[m.Text(fast)] = fast
		}
	}
	if steps < refused/4 || refused < steps/4 || unseen < steps/10 {
		t.Errorf("%d steps, %d refused, %d with values that do not matter", steps, refused, unseen)
	}
}

// blind holds that values which an automaton does not see change no step, with an answer or without; it returns 1 if there
// are such values.
func blind(t *testing.T, seed uint64, m semantics.Machine, s semantics.State, l history.Label) int {
	t.Helper()
	see := m.(wgl.Seeing).Seen()
	if see == nil {
		return 0
	}
	pending := history.Label{Kind: history.Kind{Method: l.Method, Outcome: history.Pending}, Args: l.Args}
	some := 0
	for _, l := range []history.Label{l, pending} {
		less := see(l)
		want, may := m.Step(s, &l)
		if got, ok := m.Step(s, &less); ok != may || ok && !got.Equal(want) {
			t.Fatalf("seed %d: %s, of which %s is seen, is %t and %t, or leads elsewhere", seed, &l, &less, may, ok)
		}
		if less.String() != l.String() {
			some = 1
		}
	}
	return some
}

// text is a state as Text has it.
func (s slowly) text() string {
	var words []string
	l := &s.Locations[s.location]
	if len(s.Locations) > 1 {
		words = append(words, l.Name)
	}
	for i, r := range l.Registers {
		words = append(words, r+" = "+string(s.registers[i]))
	}
	for i, c := range s.Counters {
		if !c.Keyed {
			n, _ := s.count(i, 0, nil)
			words = append(words, c.Name+" = "+strconv.FormatInt(n, 10))
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(s.counters[i])) {
			if n := s.counters[i][k]; n != c.Start {
				words = append(words, c.Name+" of "+string(k)+" = "+strconv.FormatInt(n, 10))
			}
		}
	}
	return cmp.Or(strings.Join(words, ", "), l.Name)
}
