package spec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestModel compares built-in models with functions.
func TestModel(t *testing.T) {
	for _, typ := range []historytest.Type{
		historytest.Queue(), historytest.Stack(), historytest.Register(), historytest.Lock(), historytest.Set(), historytest.Worksteal(),
		historytest.Bag(), historytest.PriorityQueue(),
	} {
		c := &comparison{t: t, table: NewAnswers(), list: listOf(wgl.Methods(typ.Name), 2, 8, nil), oracle: ofModel(typ.Model), failed: t.Fatalf}
		var err error
		if c.spec, err = Model(typ.Name, c.list, c.table); err != nil {
			t.Fatal(err)
		}
		c.all(map[int32]bool{c.spec.Start(): true}, nil, 4)
		for seed := range testsize.Samples(500) {
			c.random(rand.New(rand.NewPCG(seed, 6)), 8)
		}
	}
}

// counting is a function like the built-in counter(5).
func counting(state string, l *history.Label) []historytest.Way {
	n, by := 5, 1
	fmt.Sscan(state, &n)
	if len(l.Args) > 0 {
		fmt.Sscan(string(l.Args[0]), &by)
	}
	switch l.Method {
	case "inc", "add":
		n += by
	case "dec":
		n -= by
	case "read":
		return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(fmt.Sprint(n))}, Next: fmt.Sprint(n)}}
	}
	next := fmt.Sprint(n)
	return []historytest.Way{{Outcome: history.None, Next: next}, {Outcome: history.Some, Rets: []history.Value{history.Value(next)}, Next: next}}
}

// appending is a function like the built-in log(7).
func appending(state string, l *history.Label) []historytest.Way {
	all := strings.Fields(state)
	if l.Method == "append" {
		next := strings.TrimSpace(state + " " + string(l.Args[0]))
		at := history.Value(fmt.Sprint(7 + len(all)))
		return []historytest.Way{{Outcome: history.None, Next: next}, {Outcome: history.Some, Rets: []history.Value{at}, Next: next}}
	}
	at := 0
	fmt.Sscan(string(l.Args[0]), &at)
	if at -= 7; at < 0 || at >= len(all) {
		return []historytest.Way{{Outcome: history.Nil, Next: state}}
	}
	return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(all[at])}, Next: state}}
}

// TestComputed compares models that answer what no call has.
func TestComputed(t *testing.T) {
	for name, m := range map[string]historytest.Model{"counter(5)": counting, "log(7)": appending} {
		c := &comparison{t: t, table: NewAnswers(), list: listOf(wgl.Methods(name), 8, 8, nil), oracle: ofModel(m), failed: t.Fatalf}
		var err error
		if c.spec, err = Model(name, c.list, c.table); err != nil {
			t.Fatal(err)
		}
		for seed := range testsize.Samples(500) {
			c.random(rand.New(rand.NewPCG(seed, 7)), 8)
		}
	}
}

// only is the methods with these answers.
func only(methods []history.MethodSig, outcomes ...history.Outcome) []history.MethodSig {
	methods = slices.Clone(methods)
	for i := range methods {
		methods[i].Outcomes = slices.DeleteFunc(slices.Clone(methods[i].Outcomes), func(o history.OutcomeSig) bool { return !slices.Contains(outcomes, o.Outcome) })
	}
	return methods
}

// TestWaits checks that a call may wait where the implementation cannot say what the
// specification answers; a built-in model that panics may wait instead, a theory not.
func TestWaits(t *testing.T) {
	check := func(s Spec, a *Answers, call int32, waits bool) int32 {
		t.Helper()
		got, err := Waits(s, s.Start(), call)
		if err != nil || got != waits {
			t.Errorf("call %d: waits %v, %v", call, got, err)
		}
		moves, err := s.Moves(s.Start(), call)
		if err != nil || len(moves) == 0 {
			t.Fatalf("call %d: %v, %v", call, moves, err)
		}
		return moves[0].Next
	}
	for _, silent := range []bool{true, false} {
		outcomes := []history.Outcome{history.True, history.False}
		if silent {
			outcomes = []history.Outcome{history.None}
		}
		methods := wgl.Methods("mutex")
		for i := range methods {
			methods[i].Args, methods[i].Optional = 0, 0
		}
		list, a := listOf(only(methods, outcomes...), 1, 4, nil), NewAnswers()
		s, err := Model("mutex", list, a)
		if err != nil {
			t.Fatal(err)
		}
		check(s, a, 1, silent) // release
		held := check(s, a, 0, false)
		if waits, err := Waits(s, held, 0); err != nil || waits != silent {
			t.Errorf("acquire when held: waits %v, %v", waits, err)
		}
		if !silent {
			continue
		}
		if f, err := MayFail(s, list, a, nil); err != nil || f != s {
			t.Errorf("%v, %v", f, err)
		}
	}
	for _, tells := range []bool{true, false} {
		th := historytest.Theory(t, "theories/queue.theory.yaml")
		methods := th.Spec.Methods
		if !tells {
			methods = only(methods, history.None, history.Some)
		}
		list, a := listOf(methods, 0, 2, map[string]int{"add": 0}), NewAnswers()
		s, err := Of(context.Background(), th, list, a)
		if err != nil {
			t.Fatal(err)
		}
		check(s, a, 2, !tells)
		check(s, a, 0, false)
	}
	d := historytest.ByAutomata()[0] // a mutex
	list, a := listOf(d.Theory.Spec.Methods, 0, 4, nil), NewAnswers()
	s, err := Of(context.Background(), d.Theory, list, a)
	if err != nil {
		t.Fatal(err)
	}
	check(s, a, 2, false) // unlock panics
	held := check(s, a, 0, false)
	if waits, err := Waits(s, held, 0); err != nil || !waits {
		t.Errorf("lock when held: waits %v, %v", waits, err)
	}
	if f, err := MayFail(s, list, a, []string{"tryLock=false"}); err != nil {
		t.Error(err)
	} else if waits, err := Waits(f, held, 0); err != nil || !waits {
		t.Errorf("lock when held: waits %v, %v", waits, err)
	} else if waits, err := Waits(f, held, 1); err != nil || waits {
		t.Errorf("tryLock when held: waits %v, %v", waits, err)
	}
}

// reachable counts the states that executions of so many operations reach.
func reachable(t *testing.T, s Spec, a *Answers, list *List) int {
	c := &comparison{table: a, list: list}
	type at struct {
		state int32
		fresh string
	}
	seen, states := map[at]bool{}, map[int32]bool{}
	var from func(state int32, after []history.Label)
	from = func(state int32, after []history.Label) {
		states[state] = true
		var used []string
		for _, l := range after {
			if k, ok := list.Fresh[l.Method]; ok {
				used = append(used, string(l.Args[k]))
			}
		}
		slices.Sort(used)
		here := at{state, fmt.Sprint(used, len(after))}
		if seen[here] || len(after) == list.Most {
			return
		}
		seen[here] = true
		for call := range list.Labels {
			if c.used(after, &list.Labels[call]) {
				continue
			}
			moves, err := s.Moves(state, int32(call))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range moves {
				from(m.Next, c.with(after, call, m.Answer))
			}
		}
	}
	from(s.Start(), nil)
	return len(states)
}

// TestStates checks that sequences of which a theory says the same are one state: there
// are no more than in a model of the same type.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		path, model string
		values      int
	}{
		{"theories/queue", "queue", 0}, {"theories/stack", "stack", 0}, {"theories/bag", "bag", 0}, {"theories/priorityqueue", "priority-queue", 0},
		{"theories/register", "register", 0}, {"theories/lock", "lock", 0}, {"examples/queue/queue", "queue", 0}, {"examples/register/register", "register", 0},
		{"theories/set", "set", 2},
	} {
		th := readTheory(t, c.path).Formulas()
		th.Spec.Automaton, th.Spec.Product = nil, nil
		fresh, err := Fresh(th, nil, methodsOf(th))
		if err != nil {
			t.Fatal(err)
		}
		list, a := listOf(th.Spec.Methods, c.values, 4, fresh), NewAnswers()
		patterns, err := Of(context.Background(), th, list, a)
		if err != nil {
			t.Fatal(err)
		}
		model, err := Model(c.model, list, a)
		if err != nil {
			t.Fatal(err)
		}
		own, want := reachable(t, patterns, a, list), reachable(t, model, a, list)
		t.Logf("%s: %d states, the model %d", c.path, own, want)
		if own > want {
			t.Errorf("%s: %d states, the model has %d", c.path, own, want)
		}
	}
}
