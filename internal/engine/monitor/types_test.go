package monitor_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// examples are the names of types that there is an example of.
var examples = []string{"queue", "stack", "register", "set", "lock"}

// samples is how many random executions a test looks at.
func samples(n int) int { return int(testsize.Samples(uint64(n))) }

// typeOf is a type by its name: an example, or a reference of this package.
func typeOf(name string) historytest.Type {
	for _, x := range append(historytest.Examples(), historytest.Worksteal()) {
		if x.Name == name {
			return x
		}
	}
	lookup := []history.Outcome{history.Some, history.Nil}
	switch name {
	case "peekqueue", "peekstack", "stealing":
		x, third := historytest.Queue(), "peek"
		if name == "stealing" {
			third = "steal"
		}
		x.Name, x.Model = name, ends(name)
		x.Methods = append(x.Methods, historytest.Method{Name: third, Outcomes: lookup})
		return x
	case "deque":
		return deque()
	}
	x := historytest.PriorityQueue()
	if name == "bag" {
		x = historytest.Bag()
	}
	x.Methods = x.Methods[:2] // no peek
	return x
}

// small is a small random execution of a type.
func small(r *rand.Rand, x historytest.Type) *history.Execution {
	if x.Name == "set" {
		for i := range x.Methods {
			x.Methods[i].Takes = 1 + r.IntN(4)
		}
	}
	x.Lost = []int{0, 0, 8, 16}[r.IntN(4)]
	return x.Execution(r, 4+r.IntN(10), 2+r.IntN(7), []int{0, 2, 4, 8}[r.IntN(4)])
}

// ends is a model of the references of the same name, made of those that take at
// one end.
func ends(name string) historytest.Model {
	first, last := historytest.Queue().Model, historytest.Stack().Model
	return func(s string, call *history.Label) []historytest.Way {
		m := last
		if name == "peekqueue" || call.Method == "steal" {
			m = first
		}
		ways := m(s, call)
		if call.Method == "peek" {
			ways[0].Next = s
		}
		return ways
	}
}

// deque is the example of that name.
func deque() historytest.Type {
	add, lookup := []history.Outcome{history.None}, []history.Outcome{history.Some, history.Nil}
	first, last := historytest.Queue().Model, historytest.Stack().Model
	return historytest.Type{Name: "deque", Methods: []historytest.Method{
		{Name: "pushFront", Takes: historytest.Fresh, Outcomes: add}, {Name: "pushBack", Takes: historytest.Fresh, Outcomes: add},
		{Name: "popFront", Outcomes: lookup}, {Name: "popBack", Outcomes: lookup},
	}, Model: func(s string, call *history.Label) []historytest.Way {
		switch call.Method {
		case "pushFront":
			return []historytest.Way{{Outcome: history.None, Next: string(call.Args[0]) + "," + s}}
		case "popBack":
			return last(s, call)
		}
		return first(s, call)
	}}
}

// long is an execution of a queue with n operations of which eight overlap, all
// adds and then removes of one value each.
func long(n int) *history.Execution {
	e := &history.Execution{}
	call := func(i int) {
		v := []history.Value{history.Value(strconv.Itoa(i / 2))}
		l := history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: v}
		if i%2 == 1 {
			l = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: v}
		}
		e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(i), Label: l, Call: e.Events})
		e.Events++
	}
	for i := range n {
		if call(i); i >= 8 {
			e.Ops[i-8].Return = e.Events
			e.Events++
		}
	}
	for i := max(0, n-8); i < n; i++ {
		e.Ops[i].Return = e.Events
		e.Events++
	}
	return e
}

func selectFor(tb testing.TB, t *theory.Theory) (*monitor.Procedure, error) {
	return checktest.Procedure(tb.Context(), t)
}

func example(tb testing.TB, name string) *theory.Theory { return historytest.Example(tb, name) }
