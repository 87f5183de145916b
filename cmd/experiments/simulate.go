package main

import (
	"math/rand/v2"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// simulated is a data type that many processes use, each all the time.
type simulated struct {
	name   string
	theory string // its file, from the project's folder
	start  func() object
}

// object is a data type's state. call draws a call, the nth operation's; took has it take
// effect, and is false if it has to wait. wrong has it answer what it must not, if there is
// such an answer now.
type object interface {
	call(r *rand.Rand, n int) history.Label
	took(r *rand.Rand, o *history.Operation) bool
	wrong(r *rand.Rand, o *history.Operation) bool
}

// simulate makes an execution of so many operations by processes that always overlap. If
// lost, one operation in twenty never returns, after it took effect or before, and its
// process goes on with another. If bad, an operation answers what it must not after two
// thirds of them.
func simulate(s simulated, r *rand.Rand, ops, processes int, lost, bad bool) *history.Execution {
	e := &history.Execution{Ops: make([]history.Operation, 0, ops)}
	o := s.start()
	running, effect := make([]int, processes), make([]bool, ops)
	for i := range running {
		running[i] = -1
	}
	for idle := 0; idle < 64*processes; idle++ { // until nothing goes on any more
		p := r.IntN(processes)
		i := running[p]
		switch {
		case i < 0 && len(e.Ops) == ops:
		case i < 0:
			running[p], idle = len(e.Ops), 0
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(len(e.Ops)), Label: o.call(r, len(e.Ops)), Call: e.Events, Return: history.NoReturn})
			e.Events++
		case lost && r.IntN(40) == 0:
			running[p] = -1
		case !effect[i]:
			op := &e.Ops[i]
			if bad && len(e.Ops) > ops*2/3 && o.wrong(r, op) {
				bad, effect[i] = false, true
				continue
			}
			effect[i] = o.took(r, op)
		default:
			e.Ops[i].Return, running[p], idle = e.Events, -1, 0
			e.Events++
		}
	}
	for i := range e.Ops {
		if o := &e.Ops[i]; !o.Completed() {
			o.Outcome, o.Rets = history.Pending, nil
		}
	}
	return e
}

func number(n int) history.Value { return history.Value(strconv.Itoa(n)) }

func label(method string, args ...history.Value) history.Label {
	return history.Label{Kind: history.Kind{Method: method}, Args: args}
}

// answer completes an operation's label.
func answer(o *history.Operation, outcome history.Outcome, rets ...history.Value) bool {
	o.Outcome, o.Rets = outcome, rets
	return true
}

// told answers a value, or nil.
func told(o *history.Operation, v history.Value) bool {
	if v == "" {
		return answer(o, history.Nil)
	}
	return answer(o, history.Some, v)
}

// simulations are the data types of the sweep.
func simulations() []simulated {
	put := func(take func(string, int) int) func() object {
		return func() object { return &container{adds: []string{"add"}, removes: []string{"remove"}, take: take} }
	}
	ends := func(method string, n int) int {
		if method == "popFront" {
			return 0
		}
		return n - 1
	}
	register := func() object { return &registered{} }
	lock := func() object { return &exclusive{} }
	set := func() object { return &members{in: map[history.Value]bool{}} }
	return []simulated{
		{"queue", "examples/queue/queue", put(first)},
		{"queue by axioms", "theories/queue", put(first)},
		{"stack", "examples/stack/stack", put(last)},
		{"stack by axioms", "theories/stack", put(last)},
		{"bag", "theories/bag", func() object {
			return &container{adds: []string{"add"}, removes: []string{"remove"}, take: first, anyOrder: true}
		}},
		{"deque", "examples/deque/deque", func() object {
			return &container{adds: []string{"pushFront", "pushBack"}, removes: []string{"popFront", "popBack"}, front: "pushFront", take: ends}
		}},
		{"worksteal", "examples/worksteal/worksteal", func() object {
			return &container{adds: []string{"give"}, removes: []string{"take", "steal"}, take: first}
		}},
		{"priority queue", "theories/priorityqueue", func() object {
			return &ranked{container{adds: []string{"add"}, removes: []string{"remove"}}}
		}},
		{"bounded queue", "examples/boundedqueue/boundedqueue", func() object { return &bounded{room: 100} }},
		{"register", "examples/register/register", register},
		{"register by axioms", "theories/register", register},
		{"lock", "examples/lock/lock", lock},
		{"lock by axioms", "theories/lock", lock},
		{"set", "examples/set/set", set},
		{"set by axioms", "theories/set", set},
		{"plainset", "theories/plainset", func() object { return &members{in: map[history.Value]bool{}, few: 50, said: true} }},
		{"semaphore", "theories/semaphore", func() object { return &permits{most: 2, tickets: true} }},
		{"permits", "examples/semaphore/semaphore", func() object { return &permits{most: 10} }},
		{"mutex", "examples/mutex/mutex", func() object { return &tried{} }},
		{"counter", "examples/counter/counter", func() object { return &tally{} }},
		{"kv", "examples/kv/kv", func() object { return &store{keys: 20, of: map[history.Value]history.Value{}} }},
		{"cas register", "examples/casregister/casregister", func() object { return &cas{} }},
		{"exchanger", "theories/exchanger", func() object { return &exchanger{} }},
	}
}
