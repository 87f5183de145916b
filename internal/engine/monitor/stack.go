package monitor

// stack decides last-in-first-out stacks: in O(n log n) if no pending remove
// must have taken something, see taking for the others.
type stack struct {
	container
	peeling peeling
	only    []int32 // the values that are peeled; nil for all
	gaveUp  bool    // of the values that were looked at it is not known
}

func (s *stack) decide(c *columns, n int32) (answer, witness) {
	if w, bad := s.load(c, n); bad {
		return violating, w
	}
	s.only, s.gaveUp = nil, false
	f, ok := s.check(c)
	if ok {
		return linearizable, witness{}
	}
	if s.gaveUp {
		return unclear, witness{op: -1}
	}
	w := s.witness(c, f)
	if s.looks.any && len(s.tokens) > 0 {
		t := taking{forcing: s, container: &s.container}
		if a := t.unlessTaken(c); !s.gaveUp {
			return a, w
		}
		return unclear, w
	}
	forced := s.forced(c, f)
	if forced < 0 || len(s.tokens) == 0 {
		return violating, w
	}
	// Values that were peeled can be peeled whatever is taken.
	s.only = f.values
	t := taking{forcing: s, container: &s.container}
	return t.take(c, forced, make([]bool, len(s.tokens))), w
}

// check finds a stuck component, its values by ae, or an operation.
func (s *stack) check(c *columns) (f failure, ok bool) {
	if len(s.empties) > 0 {
		s.covering()
		if op, ok := s.uncovered(c); !ok {
			return failure{op: op}, false
		}
	}
	if s.looks.any {
		p := peekPeeling{container: &s.container, c: c}
		stuck, ok, known := p.peel()
		s.gaveUp = s.gaveUp || !known
		return failure{-1, stuck}, ok
	}
	stuck, ok := s.peeling.peel(s.values, s.only, s.n)
	return failure{-1, stuck}, ok
}

// forced is the value with the first ae of those that are left in the way.
func (s *stack) forced(c *columns, f failure) int32 {
	if f.op < 0 {
		for _, v := range f.values {
			if s.isLeft(&s.values[v]) {
				return v
			}
		}
		return -1
	}
	return s.firstLeft(func(_ int32, m *match) bool { return m.ae < c.ret[f.op] })
}

func (s *stack) witness(c *columns, f failure) witness {
	if f.op >= 0 {
		return s.chain(c, f.op)
	}
	w := witness{rule: hull, values: f.values, op: -1}
	begin, end := never, int32(0)
	for _, v := range f.values {
		from, to := s.core(v)
		begin, end = min(begin, from), max(end, to)
	}
	last := int32(0)
	for _, v := range f.values {
		m := &s.values[v]
		w.sides = append(w.sides, side{m.as > begin, m.re < end})
		if m.rs > last && m.re <= s.n {
			last, w.guess = m.rs, m.re
		}
	}
	return w
}
