package monitor

// stack decides last-in-first-out stacks: in O(n log n) if no pending remove
// must have taken something, see taking for the others.
type stack struct {
	container
	peeling peeling
	only    []int32 // the values that are peeled; nil for all
	checks  int     // so far
}

// failure is why a stack is not linearizable as long as pending removes take
// nothing more: an operation that found nothing and has no gap, or else the
// values of a stuck component, by ae.
type failure struct {
	op    int32 // -1 if it is the component
	stuck []int32
}

func (s *stack) decide(c *columns, n int32) (answer, witness) {
	if w, bad := s.load(c, n); bad {
		return violating, w
	}
	s.only, s.checks = nil, 0
	f, ok := s.check(c)
	if ok {
		return linearizable, witness{}
	}
	w := s.witness(c, f)
	forced := s.forced(c, f)
	if forced < 0 || len(s.tokens) == 0 {
		return violating, w
	}
	// Values that were peeled can be peeled whatever is taken.
	s.only = f.stuck
	return s.take(c, forced, make([]bool, len(s.tokens))), w
}

// check decides if pending removes take nothing more.
func (s *stack) check(c *columns) (f failure, ok bool) {
	s.checks++
	if len(s.empties) > 0 {
		s.covering()
		if op, ok := s.uncovered(c); !ok {
			return failure{op: op}, false
		}
	}
	stuck, ok := s.peeling.peel(s.values, s.only, s.n)
	return failure{-1, stuck}, ok
}

// forced is a value that some pending remove must take because of a failure: of
// those that are left in the way the one with the first ae; -1 if none is.
func (s *stack) forced(c *columns, f failure) int32 {
	if f.op < 0 {
		for _, v := range f.stuck {
			if s.isLeft(&s.values[v]) {
				return v
			}
		}
		return -1
	}
	first := int32(-1)
	for v := range s.values {
		m := &s.values[v]
		if s.isLeft(m) && m.ae < c.ret[f.op] && (first < 0 || m.ae < s.values[first].ae) {
			first = int32(v)
		}
	}
	return first
}

// isLeft tells whether nothing took a value so far.
func (s *stack) isLeft(m *match) bool { return m.as != 0 && m.rs > s.n }

func (s *stack) witness(c *columns, f failure) witness {
	if f.op >= 0 {
		return s.chain(c, f.op)
	}
	w := witness{rule: hull, values: f.stuck, op: -1}
	last := int32(0)
	for _, v := range f.stuck {
		if m := &s.values[v]; m.rs > last && m.re <= s.n {
			last, w.guess = m.rs, m.re
		}
	}
	return w
}
