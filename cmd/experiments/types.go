package main

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

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

// ranked is a priority queue: the largest value leaves first.
type ranked struct{ container }

func (q *ranked) call(r *rand.Rand, n int) history.Label {
	return q.container.call(r, n*40_503%(1<<20)) // odd, so that no value comes twice
}

func (q *ranked) took(r *rand.Rand, o *history.Operation) bool {
	q.take = func(_ string, n int) (most int) {
		for i := range n {
			if rank(q.vs[i]) > rank(q.vs[most]) {
				most = i
			}
		}
		return most
	}
	return q.container.took(r, o)
}

func rank(v history.Value) int {
	n, _ := strconv.Atoi(string(v))
	return n
}

// bounded is a queue that refuses what it has no room for.
type bounded struct {
	room int
	vs   []history.Value
}

func (q *bounded) call(r *rand.Rand, n int) history.Label {
	if r.IntN(2) == 0 {
		return label("offer", number(n))
	}
	return label("poll")
}

func (q *bounded) took(_ *rand.Rand, o *history.Operation) bool {
	switch {
	case o.Method == "poll" && len(q.vs) == 0:
		return answer(o, history.Nil)
	case o.Method == "poll":
		answer(o, history.Some, q.vs[0])
		q.vs = q.vs[1:]
		return true
	case len(q.vs) == q.room:
		return answer(o, history.False)
	}
	q.vs = append(q.vs, o.Args[0])
	return answer(o, history.True)
}

func (q *bounded) wrong(_ *rand.Rand, o *history.Operation) bool {
	if o.Method == "offer" || len(q.vs) < 3 {
		return false
	}
	middle := len(q.vs) / 2
	answer(o, history.Some, q.vs[middle])
	q.vs = slices.Delete(slices.Clone(q.vs), middle, middle+1)
	return true
}

// tally is a counter.
type tally struct{ n int }

func (c *tally) call(r *rand.Rand, _ int) history.Label {
	return label([]string{"inc", "dec", "value"}[r.IntN(3)])
}

func (c *tally) took(_ *rand.Rand, o *history.Operation) bool {
	switch o.Method {
	case "inc":
		c.n++
		return answer(o, history.None)
	case "dec":
		c.n--
	}
	return answer(o, history.Some, number(c.n))
}

func (c *tally) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "value" && answer(o, history.Some, number(c.n+1_000))
}

// store has values of a few keys.
type store struct {
	keys int
	of   map[history.Value]history.Value
}

func (s *store) call(r *rand.Rand, _ int) history.Label {
	k := "k" + number(r.IntN(s.keys))
	switch r.IntN(5) {
	case 0, 1:
		return label("put", k, "v"+number(r.IntN(5)))
	case 2:
		return label("delete", k)
	}
	return label("get", k)
}

func (s *store) took(_ *rand.Rand, o *history.Operation) bool {
	switch k := o.Args[0]; o.Method {
	case "put":
		s.of[k] = o.Args[1]
	case "delete":
		delete(s.of, k)
	default:
		return told(o, s.of[k])
	}
	return answer(o, history.None)
}

func (s *store) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "get" && told(o, "w")
}

// tried is a mutex that is tried for.
type tried struct{ held bool }

func (m *tried) call(r *rand.Rand, _ int) history.Label {
	return label([]string{"tryLock", "unlock"}[r.IntN(2)])
}

func (m *tried) took(_ *rand.Rand, o *history.Operation) bool {
	was := m.held
	m.held = o.Method == "tryLock"
	switch {
	case m.held && was:
		return answer(o, history.False)
	case m.held:
		return answer(o, history.True)
	case was:
		return answer(o, history.None)
	}
	return answer(o, history.Panic)
}

func (m *tried) wrong(_ *rand.Rand, o *history.Operation) bool {
	return o.Method == "tryLock" && m.held && answer(o, history.True)
}
