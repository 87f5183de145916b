package monitor

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
