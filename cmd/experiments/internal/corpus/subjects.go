package corpus

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// subject is a theory with the data type whose random executions are made.
type subject struct {
	theory string // its name in a corpus, which stays when the file moves
	file   string // from the project's root
	model  string // the built-in model that should agree with it
	kind   historytest.Type
}

// subjects are the theories of the project.
func subjects() []subject {
	free := func(t historytest.Type) historytest.Type { t.Keyed = false; return t }
	return []subject{
		{"queue", "examples/queue/queue.theory.yaml", "queue", historytest.Queue()},
		{"stack", "examples/stack/stack.theory.yaml", "stack", historytest.Stack()},
		{"register", "examples/register/register.theory.yaml", "register", historytest.Register()},
		{"lock", "examples/lock/lock.theory.yaml", "lock", historytest.Lock()},
		{"set", "examples/set/set.theory.yaml", "set", historytest.Set()},
		{"worksteal", "examples/worksteal/worksteal.theory.yaml", "worksteal", historytest.Worksteal()},
		{"theories/queue", "theories/queue.theory.yaml", "queue", historytest.Queue()},
		{"theories/stack", "theories/stack.theory.yaml", "stack", historytest.Stack()},
		{"theories/register", "theories/register.theory.yaml", "register", historytest.Register()},
		{"theories/lock", "theories/lock.theory.yaml", "lock", free(historytest.Lock())},
		{"theories/set", "theories/set.theory.yaml", "set", free(historytest.Set())},
		{"theories/bag", "theories/bag.theory.yaml", "bag", without(historytest.Bag(), "peek")},
		{"theories/priorityqueue", "theories/priorityqueue.theory.yaml", "priority-queue", without(historytest.PriorityQueue(), "peek")},
		{"theories/plainset", "theories/plainset.theory.yaml", "", historytest.PlainSet()},
		{"theories/semaphore", "theories/semaphore.theory.yaml", "", historytest.Semaphore()},
		{"theories/exchanger", "theories/exchanger.theory.yaml", "", exchanger()},
		{"hashmap", "check/testdata/hashmap.theory.yaml", "", historytest.Map()},
		{"presence", "check/testdata/presence.theory.yaml", "", historytest.Presence()},
		{"barrier", "check/testdata/barrier.theory.yaml", "", barrier()},
		{"deque", "evidence/verify/testdata/deque.theory.yaml", "", deque()},
		{"cache", "evidence/verify/testdata/cache.theory.yaml", "", historytest.Map()},
	}
}

func subjectOf(theory string) (subject, error) {
	for _, s := range subjects() {
		if s.theory == theory {
			return s, nil
		}
	}
	return subject{}, fmt.Errorf("corpus: no theory %q", theory)
}

// without is a type without a method.
func without(t historytest.Type, method string) historytest.Type {
	t.Methods = slices.DeleteFunc(t.Methods, func(m historytest.Method) bool { return m.Name == method })
	return t
}

// exchanger swaps 1 with 2, 3 with 4, or answers that nobody was there. Whether the two
// overlap is left to chance.
func exchanger() historytest.Type {
	model := func(s string, l *history.Label) []historytest.Way {
		n, _ := strconv.Atoi(string(l.Args[0]))
		other := n - 1 + 2*(n%2)
		return []historytest.Way{
			{Outcome: history.Some, Rets: []history.Value{history.Value(strconv.Itoa(other))}, Next: s},
			{Outcome: history.Nil, Next: s},
		}
	}
	return historytest.Type{Name: "exchanger", Model: model, Methods: []historytest.Method{
		{Name: "exchange", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.Some, history.Nil}}}}
}

// barrier lets everybody pass.
func barrier() historytest.Type {
	model := func(s string, _ *history.Label) []historytest.Way {
		return []historytest.Way{{Outcome: history.None, Next: s}}
	}
	return historytest.Type{Name: "barrier", Model: model, Methods: []historytest.Method{
		{Name: "arrive", Outcomes: []history.Outcome{history.None}}}}
}

// deque takes values at its back, and gives them back at either end.
func deque() historytest.Type {
	model := func(s string, l *history.Label) []historytest.Way {
		vs := strings.Split(s, ",") // the last one is empty
		last := len(vs) - 2
		switch {
		case l.Method == "pushBack":
			return []historytest.Way{{Outcome: history.None, Next: s + string(l.Args[0]) + ","}}
		case last < 0:
			return []historytest.Way{{Outcome: history.Nil, Next: s}}
		}
		at := last
		if l.Method == "popFront" {
			at = 0
		}
		rest := slices.Delete(slices.Clone(vs), at, at+1)
		return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(vs[at])}, Next: strings.Join(rest, ",")}}
	}
	answers := []history.Outcome{history.Some, history.Nil}
	return historytest.Type{Name: "deque", Model: model, Methods: []historytest.Method{
		{Name: "pushBack", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.None}},
		{Name: "popFront", Outcomes: answers}, {Name: "popBack", Outcomes: answers}}}
}
