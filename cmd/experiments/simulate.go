package main

import (
	"math/rand/v2"
	"slices"
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

// container keeps values; take is the index of the one that a removing method takes.
type container struct {
	adds, removes []string
	take          func(method string, n int) int
	front         string // the method that adds in front
	anyOrder      bool
	vs            []history.Value
}

func (c *container) call(r *rand.Rand, n int) history.Label {
	if r.IntN(2) == 0 {
		return label(c.adds[r.IntN(len(c.adds))], number(n))
	}
	return label(c.removes[r.IntN(len(c.removes))])
}

func (c *container) took(_ *rand.Rand, o *history.Operation) bool {
	switch {
	case len(o.Args) > 0 && o.Method == c.front:
		c.vs = slices.Insert(c.vs, 0, o.Args[0])
		return answer(o, history.None)
	case len(o.Args) > 0:
		c.vs = append(c.vs, o.Args[0])
		return answer(o, history.None)
	case len(c.vs) == 0:
		return answer(o, history.Nil)
	}
	return c.remove(o, c.take(o.Method, len(c.vs)))
}

func (c *container) remove(o *history.Operation, i int) bool {
	v := c.vs[i]
	if c.vs = c.vs[:len(c.vs):len(c.vs)]; i == 0 {
		c.vs = c.vs[1:]
	} else {
		c.vs = slices.Delete(c.vs, i, i+1)
	}
	return answer(o, history.Some, v)
}

// wrong takes the value from the middle, or finds nothing where any value would do.
func (c *container) wrong(_ *rand.Rand, o *history.Operation) bool {
	switch {
	case len(o.Args) > 0 || len(c.vs) < 10:
		return false
	case c.anyOrder:
		return answer(o, history.Nil)
	}
	return c.remove(o, len(c.vs)/2)
}

func first(string, int) int    { return 0 }
func last(_ string, n int) int { return n - 1 }

// registered is a register with fresh values.
type registered struct {
	old, v history.Value
}

func (g *registered) call(r *rand.Rand, n int) history.Label {
	if r.IntN(2) == 0 {
		return label("write", number(n))
	}
	return label("read")
}

func (g *registered) took(_ *rand.Rand, o *history.Operation) bool {
	if o.Method == "read" {
		return told(o, g.v)
	}
	if g.v = o.Args[0]; g.old == "" {
		g.old = g.v
	}
	return answer(o, history.None)
}

func (g *registered) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "read" && g.old != g.v && told(o, g.old)
}

// exclusive is a lock.
type exclusive struct{ holder history.Value }

func (l *exclusive) call(r *rand.Rand, n int) history.Label {
	if r.IntN(2) == 0 {
		return label("lock", number(n))
	}
	return label("unlock")
}

func (l *exclusive) took(_ *rand.Rand, o *history.Operation) bool {
	told(o, l.holder)
	if l.holder = ""; o.Method == "lock" {
		if o.Outcome == history.Nil {
			l.holder = o.Args[0]
		} else {
			l.holder = o.Rets[0]
		}
	}
	return true
}

func (l *exclusive) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "unlock" && told(o, "0")
}

// members is a set; fresh values, or few that come again.
type members struct {
	few  int // values; 0: fresh ones
	in   map[history.Value]bool
	said bool // answers are true and false, and changes answer nothing
}

func (m *members) call(r *rand.Rand, n int) history.Label {
	methods := []string{"insert", "remove", "contains"}
	if m.said {
		methods[0] = "add"
	}
	k := r.IntN(3)
	switch {
	case m.few > 0:
		return label(methods[k], number(r.IntN(m.few)))
	case k == 0:
		return label(methods[k], number(n))
	}
	return label(methods[k], number(max(0, n-r.IntN(40))))
}

func (m *members) took(_ *rand.Rand, o *history.Operation) bool {
	v := o.Args[0]
	was := m.in[v]
	switch o.Method {
	case "insert", "add":
		m.in[v] = true
	case "remove":
		delete(m.in, v)
	}
	return m.tell(o, was)
}

func (m *members) tell(o *history.Operation, was bool) bool {
	switch {
	case m.said && o.Method != "contains":
		return answer(o, history.None)
	case m.said && was:
		return answer(o, history.True)
	case m.said:
		return answer(o, history.False)
	case was:
		return answer(o, history.Some, o.Args[0])
	}
	return answer(o, history.Nil)
}

func (m *members) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "contains" && m.tell(o, !m.in[o.Args[0]])
}

// permits is a semaphore: with tickets that are held, or tried for.
type permits struct {
	most    int
	held    []history.Value
	tickets bool
	waiting int             // calls of acquire that have not taken effect
	free    []history.Value // tickets that are held, and that nobody is about to give back
}

func (s *permits) call(r *rand.Rand, n int) history.Label {
	switch {
	case !s.tickets && r.IntN(2) == 0:
		return label("tryAcquire")
	case !s.tickets:
		return label("release")
	case len(s.free) == 0 || s.waiting == 0 && r.IntN(2) == 0:
		s.waiting++
		return label("acquire", number(n))
	}
	v := s.free[0]
	s.free = s.free[1:]
	return label("release", v)
}

func (s *permits) took(_ *rand.Rand, o *history.Operation) bool {
	full := len(s.held) == s.most
	switch o.Method {
	case "tryAcquire":
		if full {
			return answer(o, history.False)
		}
		s.held = append(s.held, "")
		return answer(o, history.True)
	case "acquire":
		return !full && s.acquired(o)
	}
	if s.tickets {
		s.held = slices.DeleteFunc(s.held, func(v history.Value) bool { return v == o.Args[0] })
		return answer(o, history.None)
	}
	if len(s.held) == 0 {
		return answer(o, history.Panic)
	}
	s.held = s.held[1:]
	return answer(o, history.None)
}

func (s *permits) acquired(o *history.Operation) bool {
	s.held, s.free = append(s.held, o.Args[0]), append(s.free, o.Args[0])
	s.waiting--
	return answer(o, history.None)
}

func (s *permits) wrong(_ *rand.Rand, o *history.Operation) bool {
	switch {
	case o.Method == "acquire" && len(s.held) == s.most:
		return s.acquired(o)
	case o.Method == "tryAcquire" && len(s.held) == s.most:
		return answer(o, history.True)
	}
	return false
}

// cas is a register with compare-and-swap of few values.
type cas struct{ v int }

func (c *cas) call(r *rand.Rand, _ int) history.Label {
	switch r.IntN(3) {
	case 0:
		return label("load")
	case 1:
		return label("store", number(r.IntN(5)))
	}
	return label("compareAndSwap", number(r.IntN(5)), number(r.IntN(5)))
}

func (c *cas) took(_ *rand.Rand, o *history.Operation) bool {
	switch {
	case o.Method == "load":
		return told(o, number(c.v))
	case o.Method == "store":
		c.v, _ = strconv.Atoi(string(o.Args[0]))
		return answer(o, history.None)
	case o.Args[0] != number(c.v):
		return answer(o, history.False)
	}
	c.v, _ = strconv.Atoi(string(o.Args[1]))
	return answer(o, history.True)
}

func (c *cas) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "load" && told(o, "77")
}

// exchanger pairs operations: one that waits, and the next.
type exchanger struct{ waits *history.Operation }

func (x *exchanger) call(_ *rand.Rand, n int) history.Label { return label("exchange", number(n)) }

func (x *exchanger) took(r *rand.Rand, o *history.Operation) bool {
	switch {
	case x.waits == o && r.IntN(8) == 0:
		x.waits = nil
		return answer(o, history.Nil)
	case x.waits == o:
		return false
	case o.Outcome != history.Pending: // somebody came
		return true
	case x.waits == nil:
		x.waits = o
		return false
	}
	answer(x.waits, history.Some, o.Args[0])
	answer(o, history.Some, x.waits.Args[0])
	x.waits = nil
	return true
}

func (x *exchanger) wrong(_ *rand.Rand, o *history.Operation) bool {
	return x.waits != o && o.Outcome == history.Pending && told(o, "0")
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
		{"register", "examples/register/register", register},
		{"register by axioms", "theories/register", register},
		{"lock", "examples/lock/lock", lock},
		{"lock by axioms", "theories/lock", lock},
		{"set", "examples/set/set", set},
		{"set by axioms", "theories/set", set},
		{"plainset", "theories/plainset", func() object { return &members{in: map[history.Value]bool{}, few: 50, said: true} }},
		{"semaphore", "theories/semaphore", func() object { return &permits{most: 2, tickets: true} }},
		{"permits", "examples/semaphore/semaphore", func() object { return &permits{most: 10} }},
		{"cas register", "examples/casregister/casregister", func() object { return &cas{} }},
		{"exchanger", "theories/exchanger", func() object { return &exchanger{} }},
	}
}
