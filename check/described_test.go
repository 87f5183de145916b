package check_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// ofType is a random execution of a type, in which some operations never return.
func ofType(typ historytest.Type, seed uint64) *history.Execution {
	r := rand.New(rand.NewPCG(seed, 1))
	if seed%2 == 0 {
		typ.Lost = 4
	}
	return typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
}

// mixed fails unless there are both executions that violate and others.
func mixed(t *testing.T, violations int, n uint64) {
	t.Helper()
	if v := uint64(violations); v < n/20 || v > n-n/20 {
		t.Errorf("%d of %d are violations", violations, n)
	}
}

// TestDescribed: theories that have an automaton or a product, and no patterns, decide
// what trying everything decides.
func TestDescribed(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			var checkers []*check.Checker
			for _, name := range []string{"", "wgl"} {
				c, err := check.New(typ.Theory, check.Options{Engine: name})
				if err != nil {
					t.Fatal(err)
				}
				checkers = append(checkers, c)
			}
			for _, name := range []string{"symbolic", "saturate", "monitor"} {
				if _, err := check.New(typ.Theory, check.Options{Engine: name}); err == nil || !strings.Contains(err.Error(), "has no patterns") && !strings.Contains(err.Error(), "engine auto") {
					t.Errorf("%s: %v", name, err)
				}
			}
			violations, n := 0, testsize.Samples(10_000)
			for seed := range n {
				e := ofType(typ.Type, seed)
				want := typ.Model.ShortestViolation(e)
				r, err := checkers[seed%2].Check(t.Context(), e)
				verdict := check.Linearizable
				if want > 0 {
					verdict, violations = check.Violation, violations+1
				}
				if err != nil || r.Verdict != verdict || r.Prefix != want || r.By == "" {
					historytest.Fatal(t, e, "seed %d: %+v, %v; want %s after %d", seed, r, err, verdict, want)
				}
			}
			mixed(t, violations, n)
		})
	}
}

// queueSpec is the queue's theory with fewer or other descriptions.
func queueSpec(t testing.TB) theory.Spec {
	return historytest.Theory(t, "examples/queue/queue.theory.yaml").Spec
}

// named is queues with names.
func named(t testing.TB) (*theory.Theory, historytest.Type) {
	part := queueSpec(t)
	s := theory.Spec{Width: 1, Product: &theory.Product{Part: part}}
	for _, m := range part.Methods {
		m.Args++
		m.Aliases = nil
		s.Methods = append(s.Methods, m)
		s.Product.Keys = append(s.Product.Keys, theory.Key{Method: m.Name, Role: theory.ByKey})
	}
	one := historytest.Queue()
	typ := historytest.Type{Name: "queues", Methods: []historytest.Method{{Name: "add", Takes: 2, Brings: true, Outcomes: []history.Outcome{history.None}},
		{Name: "remove", Takes: 2, Outcomes: []history.Outcome{history.Some, history.Nil}}}}
	typ.Model = func(state string, l *history.Label) []historytest.Way {
		states := strings.Split(state+"||", "|")[:2]
		k, _ := strconv.Atoi(string(l.Args[0]))
		own := *l
		own.Args = l.Args[1:]
		ways := slices.Clone(one.Model(states[k-1], &own))
		for i := range ways {
			after := slices.Clone(states)
			after[k-1] = ways[i].Next
			if ways[i].Next = strings.Join(after, "|"); ways[i].Next == "|" {
				ways[i].Next = ""
			}
		}
		return ways
	}
	return &theory.Theory{Name: "queues", Spec: s}, typ
}

// TestNamedQueues: parts that patterns describe are checked on their own.
func TestNamedQueues(t *testing.T) {
	th, typ := named(t)
	for _, name := range []string{"", "symbolic"} {
		c, err := check.New(th, check.Options{Engine: name})
		if err != nil {
			t.Fatal(err)
		}
		violations, n := 0, testsize.Samples(10_000)
		for seed := range n {
			e := ofType(typ, seed)
			want := typ.Model.ShortestViolation(e)
			r, err := c.Check(t.Context(), e)
			verdict := check.Linearizable
			if want > 0 {
				verdict, violations = check.Violation, violations+1
			}
			if err != nil || r.Verdict != verdict || r.Prefix != want || want > 0 && len(r.Patterns) == 0 {
				historytest.Fatal(t, e, "seed %d: %+v, %v; want %s after %d", seed, r, err, verdict, want)
			}
			if r.Verdict != check.Violation {
				continue
			}
			if x, err := c.Explain(t.Context(), e, r); err != nil || typ.Model.Linearizable(x.Execution) || len(x.Reasons) == 0 {
				historytest.Fatal(t, e, "seed %d: %+v, %v", seed, x, err)
			}
		}
		mixed(t, violations, n)
	}
	if _, err := check.New(th, check.Options{Engine: "wgl"}); err == nil {
		t.Error("wgl takes what has no automaton")
	}
	e := history.Sequential(label("add", history.None, 1, 7), label("add", history.None, 2, 7), label("add", history.None, 1, 7))
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Check(t.Context(), e); !errors.As(err, new(*check.OutsideLanguage)) || !strings.Contains(err.Error(), "key 1") {
		t.Errorf("a value is added twice to one queue: %v", err)
	}
	if r, err := c.Check(t.Context(), e.Prefix(4)); err != nil || r.Verdict != check.Linearizable || r.Parts != 2 {
		t.Errorf("a value is in two queues: %+v, %v", r, err)
	}
}

func label(method string, out history.Outcome, args ...int) history.Label {
	l := history.Label{Kind: history.Kind{Method: method, Outcome: out}}
	for _, a := range args {
		l.Args = append(l.Args, history.Value(strconv.Itoa(a)))
	}
	return l
}

// limited is a queue with room for two values whose add waits, and its length.
type limited struct{ items []int }

func (q *limited) Add(v int) {
	if len(q.items) == 2 {
		panic(reference.Blocked)
	}
	q.items = append(slices.Clone(q.items), v)
}

func (q *limited) Remove() (v int, ok bool) {
	if len(q.items) > 0 {
		v, ok, q.items = q.items[0], true, slices.Clone(q.items[1:])
	}
	return v, ok
}

func (q *limited) Len() int { return len(q.items) }

// controlledQueue is its theory: the queue's patterns, and a count of its values.
func controlledQueue(t testing.TB) (*theory.Theory, historytest.Type) {
	s := queueSpec(t)
	s.Methods = slices.Clone(s.Methods)
	for i := range s.Methods {
		s.Methods[i].Aliases = nil
	}
	s.Methods = append(s.Methods, history.MethodSig{Name: "len", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}})
	n := automata.Term{Kind: automata.Total, Sum: automata.Sum{Terms: []automata.Summand{{Times: 1}}}}
	number := func(v history.Value) automata.Term { return automata.Term{Kind: automata.Constant, Value: v} }
	if_ := func(op automata.Op, v history.Value) []automata.Condition {
		return []automata.Condition{{Left: n, Op: op, Right: number(v)}}
	}
	a := automata.Automaton{Methods: s.Methods, Counters: []automata.Counter{{Name: "n", Adds: []automata.Add{
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Times: 1, Arg: -1},
		{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Times: -1, Arg: -1}}}},
		Locations: []automata.Location{{Name: "any", Transitions: []automata.Transition{
			{Method: "add", Guard: if_(automata.Less, "2"), Outcome: history.None},
			{Method: "add", Guard: if_(automata.AtLeast, "2"), Blocks: true},
			{Method: "remove", Guard: if_(automata.AtLeast, "1"), Outcome: history.Some, Rets: []automata.Term{{Kind: automata.Any}}},
			{Method: "remove", Guard: if_(automata.Less, "1"), Outcome: history.Nil},
			{Method: "len", Outcome: history.Some, Rets: []automata.Term{n}}}}}}
	s.Control = &theory.Control{Automaton: &a, Hidden: []history.Kind{{Method: "len", Outcome: history.Some}}, Complete: true}
	one := historytest.Queue()
	typ := historytest.Type{Name: "limited", Methods: append(slices.Clone(one.Methods), historytest.Method{Name: "len", Outcomes: []history.Outcome{history.Some}})}
	typ.Model = func(state string, l *history.Label) []historytest.Way {
		held := len(strings.FieldsFunc(state, func(c rune) bool { return c == ',' || c == ' ' }))
		switch {
		case l.Method == "len":
			return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(held))}, Next: state}}
		case l.Method == "add" && held == 2:
			return nil
		}
		return one.Model(state, l)
	}
	return &theory.Theory{Name: "limited", Spec: s}, typ
}

// TestControlled: patterns and a control automaton call nothing a violation that is
// none, and nothing linearizable that is a violation; they see most of both, as a file and followed, and the
// prefix is the shortest unless they say otherwise. With the reference they are exact but for the prefix.
func TestControlled(t *testing.T) {
	th, typ := controlledQueue(t)
	impl := inProcess(t, reference.Spec{New: func() *limited { return &limited{} }})
	alone, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	both, err := check.New(th, check.Options{Reference: impl})
	if err != nil {
		t.Fatal(err)
	}
	followed := batchOf(t, th, by{})
	violations, seen, found, n := 0, 0, 0, testsize.Samples(10_000)
	for seed := range n {
		e := ofType(typ, seed)
		want := typ.Model.ShortestViolation(e)
		r, err := alone.Check(t.Context(), e)
		switch {
		case err != nil || r.Verdict == check.Linearizable && want > 0 || r.Verdict == check.Violation && (want == 0 || r.Prefix < want || r.Prefix > want && r.Detail == ""):
			historytest.Fatal(t, e, "seed %d: %+v, %v; want %d", seed, r, err, want)
		case r.Verdict == check.Linearizable:
			found++
		case r.Verdict == check.Violation:
			seen++
			if x, err := alone.Explain(t.Context(), e, r); err != nil || typ.Model.Linearizable(x.Execution) {
				historytest.Fatal(t, e, "seed %d: %+v, %v", seed, x, err)
			}
		}
		if want > 0 {
			violations++
		}
		if f := follow(followed, textOf(t, e)); f.Err != nil || f.Result.Verdict != r.Verdict || f.Result.Prefix < r.Prefix {
			historytest.Fatal(t, e, "seed %d: followed %+v, %v; as a file %+v", seed, f.Result, f.Err, r)
		}
		r, err = both.Check(t.Context(), e)
		if err != nil || (r.Verdict == check.Violation) != (want > 0) || (r.Verdict == check.Linearizable) != (want == 0) || r.Prefix < want {
			historytest.Fatal(t, e, "seed %d: with the reference %+v, %v; want %d", seed, r, err, want)
		}
	}
	mixed(t, violations, n)
	good := int(n) - violations
	if t.Logf("without the reference, of %d violations %d are seen, and of %d others an order of %d", violations, seen, good, found); seen < violations*3/4 || found < good*3/4 {
		t.Error("too few")
	}
}

// guardedQueue is a queue that refuses values below 4, as its theory says: the queue's patterns
// beside a guard.
func guardedQueue(t testing.TB) (*theory.Theory, historytest.Type) {
	s := queueSpec(t)
	s.Methods = slices.Clone(s.Methods)
	for i := range s.Methods {
		s.Methods[i].Aliases = nil
		if s.Methods[i].Name == "add" {
			s.Methods[i].Outcomes = append(slices.Clone(s.Methods[i].Outcomes), history.OutcomeSig{Outcome: history.Error})
		}
	}
	x, four := automata.Term{Kind: automata.Argument}, automata.Term{Kind: automata.Constant, Value: "4"}
	n := automata.Term{Kind: automata.Total, Sum: automata.Sum{Terms: []automata.Summand{{Times: 1}}}}
	one := automata.Term{Kind: automata.Constant, Value: "1"}
	s.Control = &theory.Control{Complete: true, Guards: true, Hidden: []history.Kind{{Method: "add", Outcome: history.Error}}, Automaton: &automata.Automaton{
		Methods: s.Methods, Counters: []automata.Counter{{Name: "n", Adds: []automata.Add{
			{Kind: history.Kind{Method: "add", Outcome: history.None}, Times: 1, Arg: -1},
			{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Times: -1, Arg: -1}}}},
		Locations: []automata.Location{{Name: "any", Transitions: []automata.Transition{
			{Method: "add", Guard: []automata.Condition{{Left: x, Op: automata.AtLeast, Right: four}}, Outcome: history.None},
			{Method: "add", Guard: []automata.Condition{{Left: x, Op: automata.Less, Right: four}}, Outcome: history.Error},
			{Method: "remove", Guard: []automata.Condition{{Left: n, Op: automata.AtLeast, Right: one}}, Outcome: history.Some, Rets: []automata.Term{{Kind: automata.Any}}},
			{Method: "remove", Guard: []automata.Condition{{Left: n, Op: automata.Less, Right: one}}, Outcome: history.Nil}}}}}}
	plain := historytest.Queue()
	typ := historytest.Type{Name: "guarded", Methods: slices.Clone(plain.Methods)}
	for i := range typ.Methods {
		if typ.Methods[i].Name == "add" {
			typ.Methods[i].Outcomes = []history.Outcome{history.None, history.Error}
		}
	}
	typ.Model = func(state string, l *history.Label) []historytest.Way {
		if v, _ := strconv.Atoi(string(append(l.Args, "9")[0])); l.Method == "add" && v < 4 {
			return []historytest.Way{{Outcome: history.Error, Next: state}}
		}
		return plain.Model(state, l)
	}
	return &theory.Theory{Name: "guarded", Spec: s}, typ
}

// TestGuarded: where arguments alone say what patterns do not see, patterns beside a guard
// are exact.
func TestGuarded(t *testing.T) {
	th, typ := guardedQueue(t)
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	violations, refused, n := 0, 0, testsize.Samples(10_000)
	for seed := range n {
		e := ofType(typ, seed)
		want := typ.Model.ShortestViolation(e)
		r, err := c.Check(t.Context(), e)
		verdict := check.Linearizable
		if want > 0 {
			verdict, violations = check.Violation, violations+1
		}
		if err != nil || r.Verdict != verdict || r.Prefix != want {
			historytest.Fatal(t, e, "seed %d: %+v, %v; want %s after %d", seed, r, err, verdict, want)
		}
		refused += len(e.Ops) - len(slices.DeleteFunc(slices.Clone(e.Ops), func(o history.Operation) bool { return o.Outcome == history.Error }))
		if x, err := c.Explain(t.Context(), e, r); want > 0 && (err != nil || typ.Model.Linearizable(x.Execution)) {
			historytest.Fatal(t, e, "seed %d: %+v, %v", seed, x, err)
		}
	}
	mixed(t, violations, n)
	if refused < int(n) {
		t.Errorf("%d values are refused in %d executions", refused, n)
	}
}

// TestRenamed: values that are no integers where the theory counts, or has integers of
// its own, are refused, and no violation.
func TestRenamed(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		wrong := map[string]history.Label{
			"sum":         {Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"many"}},
			"casregister": {Kind: history.Kind{Method: "load", Outcome: history.Some}, Rets: []history.Value{"one"}},
			"sizedset":    {Kind: history.Kind{Method: "len", Outcome: history.Some}, Rets: []history.Value{"0.5"}},
		}
		l, ok := wrong[typ.Name]
		if !ok {
			continue
		}
		c, err := check.New(typ.Theory, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := c.Check(t.Context(), history.Sequential(l)); !errors.As(err, new(*check.UnknownLabel)) || !strings.Contains(err.Error(), "is no integer") {
			t.Errorf("%s: %+v, %v", typ.Name, r, err)
		}
	}
}
