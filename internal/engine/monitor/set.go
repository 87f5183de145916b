package monitor

// set decides sets of values in O(n). Values are independent of each other.
//
// A value is added once at most. Let the add be [as, ae] and the remove [rs, re].
// The value was surely in by a, the smaller of ae and the first return of an
// operation that saw it in, and until r, the larger of rs and the last call of
// such an operation. Nothing it is seen or removed by returns before as, nothing
// it is seen by is called after re, and nothing that saw it out lies between a
// and r. A pending add counts if something saw the value in.
//
// If a value fails that could have been added twice, because of pending adds,
// the answer is unclear; it could not if the theory says that this needs a remove
// and there is none.
type set struct {
	lives       []life
	needsRemove bool // no value is added twice with effect that is not removed
}

// life is a value of a set. Positions are 0 where there is none.
type life struct {
	as, ae, rs, re int32
	tryAdd         int32 // call of the first pending add
	tryRemove      int32 // call of the first pending remove
	a, r           int32 // see set; between them it is surely in
	bad            int32 // a position by which it is clear that the value fails, or 0
	rule           rule
	again          bool // it may have been added with effect more than once
}

func (l *life) fail(r rule, at int32) {
	if l.bad == 0 || at < l.bad {
		l.bad, l.rule = at, r
	}
}

func (s *set) decide(c *columns, n int32) (answer, witness) {
	s.lives = room(s.lives, int(c.values))
	ops := c.within(n)
	for i := range ops {
		s.note(c, i, n)
	}
	for v := range s.lives {
		if l := &s.lives[v]; s.needsRemove && l.rs == 0 && l.tryRemove == 0 {
			l.again = false
		}
		s.lives[v].judge(n)
	}
	for i := range ops {
		if r, v, ret := c.in(i, n); r == absent {
			s.lives[v].miss(c.call[i], ret)
		}
	}
	return s.answer()
}

// note enters operation i, but for what it saw out: that comes last.
func (s *set) note(c *columns, i int, n int32) {
	role, v, ret := c.in(i, n)
	if role == none {
		return
	}
	for int(v) >= len(s.lives) {
		s.lives = append(s.lives, life{})
	}
	l, call := &s.lives[v], c.call[i]
	switch role {
	case add:
		l.again = l.tryAdd != 0
		l.as, l.ae = call, ret
	case maybeAdd:
		l.again = l.again || l.as != 0 || l.tryAdd != 0
		if l.tryAdd == 0 {
			l.tryAdd = call
		}
	case remove:
		if l.rs != 0 {
			l.fail(twice, max(ret, l.re))
		}
		l.rs, l.re = call, ret
	case maybeRemove:
		if l.tryRemove == 0 {
			l.tryRemove = call
		}
	case present:
		if l.a == 0 || ret < l.a {
			l.a = ret
		}
		l.r = max(l.r, call)
	}
}

// judge decides a value without regard to what saw it out, and computes a and
// r. Before, they hold the first return and the last call of what saw it in.
func (l *life) judge(n int32) {
	seen := l.a != 0
	if l.as == 0 {
		l.as, l.ae = l.tryAdd, n+1
	}
	switch {
	case l.as == 0 && (seen || l.rs != 0):
		l.fail(neverAdded, firstOf(l.a, l.re))
		return
	case l.as == 0 || l.ae > n && !seen && l.rs == 0:
		l.a, l.r = n+1, 0 // it need not have been in
		return
	}
	if l.rs == 0 {
		l.rs, l.re = l.tryRemove, n+2
		if l.rs == 0 {
			l.rs = n + 1
		}
	}
	first, last := l.a, l.r
	l.r = max(l.rs, last)
	l.a = firstOf(l.ae, first)
	switch {
	case l.a < l.as || l.re < l.as:
		l.fail(beforeAdd, min(l.a, l.re))
	case l.re < l.r:
		l.fail(lifetime, min(n, firstOf(first, n)))
	}
}

// miss takes note of an operation that saw the value out.
func (l *life) miss(call, ret int32) {
	if l.a < call && ret < l.r {
		l.fail(lifetime, ret)
	}
}

func firstOf(a, b int32) int32 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// answer blames the value that shows it first, if there is one that fails for
// certain.
func (s *set) answer() (answer, witness) {
	result, first := linearizable, -1
	for v := range s.lives {
		l := &s.lives[v]
		switch {
		case l.bad == 0:
		case l.again:
			if result == linearizable {
				result = unclear
			}
		case first < 0 || l.bad < s.lives[first].bad:
			result, first = violating, v
		}
	}
	if first < 0 {
		return result, witness{op: -1}
	}
	l := &s.lives[first]
	return result, witness{rule: l.rule, values: []int32{int32(first)}, op: -1, guess: l.bad}
}

// The operations of a value that take effect in one gap do so in this order.
const (
	missBefore = iota
	comesIn
	isSeen
	goesOut
	missAfter
	phases
)

// order makes a linearization: an add takes effect as late as what saw its
// value allows, a remove as early.
func (s *set) order(a *agenda) bool {
	for phase := phases - 1; phase >= 0; phase-- {
		for i := range a.call {
			r, v, _ := a.in(i, a.events)
			if r == none {
				continue
			}
			if p, gap, ok := s.lives[v].moment(a.call[i], r); ok && p == phase {
				s.put(a, gap, int32(i), r)
			}
		}
	}
	return true
}

func (s *set) put(a *agenda, gap, op int32, r role) {
	if r == maybeRemove {
		a.firstRemove(gap, a.call[op], s.lives[a.asked[op]].as)
	} else {
		a.first(gap, op)
	}
}

// moment is when an operation on a value takes effect; false if it does not.
func (l *life) moment(call int32, r role) (phase int, gap int32, ok bool) {
	in, out := l.a-1, l.r
	if l.r < l.a { // one gap does for all
		in = max(l.as, l.r)
		out = in
	}
	was := l.r != 0
	switch {
	case r == absent && (!was || call <= in):
		return missBefore, call, true
	case r == absent:
		return missAfter, max(call, out), true
	case !was:
		return 0, 0, false
	case r == present:
		return isSeen, max(call, in), true
	case r == add || r == maybeAdd:
		return comesIn, in, call == l.as
	}
	return goesOut, out, call == l.rs
}
