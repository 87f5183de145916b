package batch

// Set decides sets of values in O(n). Notions: docs/proofs/near-linear.md.
//
// Values do not depend on each other, so an execution is linearizable iff the operations of each value are
// ("Faster linearizability checking via P-compositionality", Horn and Kroening). A value is added once at most;
// see docs/proofs/near-linear.md.
//
// Claim. Let a be the first return of the add and of what saw the value in, and r the last call of the remove and
// of what saw it in. The operations of the value are linearizable iff as < a, r < re, as < re, and nothing that
// saw it out lies between: is called after a and returns before r.
//
// Only if. Each is a breach of real time, or an operation that saw the value out while it was surely in.
//
// If. Suppose a < r. Let the add take effect in the gap a−1, the latest there is, and the remove in the gap r, the
// earliest. What saw the value in has a gap between. What saw it out has one before or after, unless it lies
// between a and r. Now suppose r < a. The add, the remove and what saw the value in share a gap, from the larger
// of as and r up to the smaller of a and re, and take effect in it at once, in this order. What saw the value out
// takes effect before the add or after the remove, if need be in the same gap.
//
// Pending. A pending add counts if something saw the value in or removed it. An earlier call of an add or remove
// only makes all conditions easier, so of several pending ones the first counts.
//
// If a value fails that could have been added twice, because of pending adds, the answer is unclear; it could not if the
// theory says that this needs a remove and there is none.
type Set struct {
	values      []setValue
	NeedsRemove bool // no value is added twice with effect that is not removed
}

// setValue is a value of a set. Positions are 0 where there is none.
type setValue struct {
	as, ae, rs, re int32
	tryAdd         int32 // call of the first pending add
	tryRemove      int32 // call of the first pending remove
	a, r           int32 // see set; between them it is surely in
	bad            int32 // a position by which it is clear that the value fails, or 0
	rule           Rule
	again          bool // it may have been added with effect more than once
}

func (l *setValue) fail(r Rule, at int32) {
	if l.bad == 0 || at < l.bad {
		l.bad, l.rule = at, r
	}
}

// Decide implements Algorithm.
func (s *Set) Decide(c *Columns, n int32) (Answer, Witness) {
	s.values = room(s.values, int(c.Values))
	ops := c.Within(n)
	for i := range ops {
		s.note(c, i, n)
	}
	for v := range s.values {
		if l := &s.values[v]; s.NeedsRemove && l.rs == 0 && l.tryRemove == 0 {
			l.again = false
		}
		s.values[v].judge(n)
	}
	for i := range ops {
		if r, v, ret := c.In(i, n); r == Absent {
			s.values[v].miss(c.Call[i], ret)
		}
	}
	return s.Answer()
}

// note enters operation i, but for what it saw out: that comes last.
func (s *Set) note(c *Columns, i int, n int32) {
	role, v, ret := c.In(i, n)
	if role == None {
		return
	}
	for int(v) >= len(s.values) {
		s.values = append(s.values, setValue{})
	}
	l, call := &s.values[v], c.Call[i]
	switch role {
	case Add:
		l.again = l.tryAdd != 0
		l.as, l.ae = call, ret
	case MaybeAdd:
		l.again = l.again || l.as != 0 || l.tryAdd != 0
		if l.tryAdd == 0 {
			l.tryAdd = call
		}
	case Remove:
		if l.rs != 0 {
			l.fail(Twice, max(ret, l.re))
		}
		l.rs, l.re = call, ret
	case MaybeRemove:
		if l.tryRemove == 0 {
			l.tryRemove = call
		}
	case Present:
		if l.a == 0 || ret < l.a {
			l.a = ret
		}
		l.r = max(l.r, call)
	}
}

// judge decides a value without regard to what saw it out, and computes a and
// r. Before, they hold the first return and the last call of what saw it in.
func (l *setValue) judge(n int32) {
	seen := l.a != 0
	if l.as == 0 {
		l.as, l.ae = l.tryAdd, n+1
	}
	switch {
	case l.as == 0 && (seen || l.rs != 0):
		l.fail(NeverAdded, firstOf(l.a, l.re))
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
		l.fail(BeforeAdd, min(l.a, l.re))
	case l.re < l.r:
		l.fail(Lifetime, min(n, firstOf(first, n)))
	}
}

// miss takes note of an operation that saw the value out.
func (l *setValue) miss(call, ret int32) {
	if l.a < call && ret < l.r {
		l.fail(Lifetime, ret)
	}
}

func firstOf(a, b int32) int32 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Answer blames the value that shows it first, if there is one that fails for
// certain.
func (s *Set) Answer() (Answer, Witness) {
	result, first := Linearizable, -1
	for v := range s.values {
		l := &s.values[v]
		switch {
		case l.bad == 0:
		case l.again:
			if result == Linearizable {
				result = Unclear
			}
		case first < 0 || l.bad < s.values[first].bad:
			result, first = Violating, v
		}
	}
	if first < 0 {
		return result, Witness{Op: -1}
	}
	l := &s.values[first]
	return result, Witness{Rule: l.rule, Values: []int32{int32(first)}, Op: -1, guess: l.bad}
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

// Linearize makes a linearization: an add takes effect as late as what saw its
// value allows, a remove as early.
func (s *Set) Linearize(a *Linearizer) bool {
	for phase := phases - 1; phase >= 0; phase-- {
		for i := range a.Call {
			r, v, _ := a.In(i, a.Events)
			if r == None {
				continue
			}
			if p, gap, ok := s.values[v].moment(a.Call[i], r); ok && p == phase {
				s.put(a, gap, int32(i), r)
			}
		}
	}
	return true
}

func (s *Set) put(a *Linearizer, gap, op int32, r Role) {
	if r == MaybeRemove {
		a.firstRemove(gap, a.Call[op], s.values[a.Asked[op]].as)
	} else {
		a.first(gap, op)
	}
}

// moment is when an operation on a value takes effect; false if it does not.
func (l *setValue) moment(call int32, r Role) (phase int, gap int32, ok bool) {
	in, out := l.a-1, l.r
	if l.r < l.a { // one gap does for all
		in = max(l.as, l.r)
		out = in
	}
	was := l.r != 0
	switch {
	case r == Absent && (!was || call <= in):
		return missBefore, call, true
	case r == Absent:
		return missAfter, max(call, out), true
	case !was:
		return 0, 0, false
	case r == Present:
		return isSeen, max(call, in), true
	case r == Add || r == MaybeAdd:
		return comesIn, in, call == l.as
	}
	return goesOut, out, call == l.rs
}
