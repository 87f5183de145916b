package spec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
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

// cas is a register as a function: like the built-in cas-register(1).
func counting(state string, l *history.Label) []historytest.Way {
	n := 5
	fmt.Sscan(state, &n)
	switch l.Method {
	case "inc":
		n++
	case "dec":
		n--
	case "add":
		by := 0
		fmt.Sscan(string(l.Args[0]), &by)
		n += by
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

// TestWaits checks that a call waits where the model has no answer that the
// implementation can give.
func TestWaits(t *testing.T) {
	for _, waits := range []bool{true, false} {
		outcomes := []history.Outcome{history.True, history.False}
		if waits {
			outcomes = []history.Outcome{history.None}
		}
		methods := wgl.Methods("mutex")
		for i := range methods {
			methods[i].Args, methods[i].Optional = 0, 0
		}
		list := listOf(only(methods, outcomes...), 1, 4, nil)
		a := NewAnswers()
		s, err := Model("mutex", list, a)
		if err != nil {
			t.Fatal(err)
		}
		moves, err := s.Moves(s.Start(), 0)
		if err != nil || len(moves) != 1 {
			t.Fatalf("%v, %v", moves, err)
		}
		again, err := s.Moves(moves[0].Next, 0)
		if err != nil || (len(again) == 0) != waits {
			t.Errorf("waits: %v; %v, %v", waits, again, err)
		}
	}
}

// reachable counts the states that executions of so many operations reach.
func reachable(t *testing.T, s Spec, a *Answers, list *calls.List) int {
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
		fresh := map[string]int{}
		th.Spec.Automaton, th.Spec.Product = nil, nil
		fresh, err := Fresh(th, nil, methodsOf(th))
		if err != nil {
			t.Fatal(err)
		}
		list, a := listOf(th.Spec.Methods, c.values, 4, fresh), NewAnswers()
		patterns, err := Of(th, list, a)
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
