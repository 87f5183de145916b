package monitor

// stack decides last-in-first-out stacks in O(n log n) without pending removes;
// see pending for those.
type stack struct {
	container
	peeling peeling
	tries   int
}

func (s *stack) decide(c *columns, n int32) (answer, witness) {
	if w, bad := s.load(c, n); bad {
		return violating, w
	}
	s.tries = 0
	return s.search(c, make([]bool, len(s.tokens)))
}

// check decides without regard to pending removes that took nothing so far.
// forced is a value that one of them must take, or -1.
func (s *stack) check(c *columns) (a answer, w witness, forced int32) {
	if len(s.empties) > 0 {
		s.covering()
		if op, ok := s.uncovered(c); !ok {
			return violating, s.chain(c, op), s.oldest(c.ret[op])
		}
	}
	if stuck, ok := s.peeling.peel(s.values, s.n); !ok {
		return violating, s.hull(stuck), s.oldestOf(stuck)
	}
	return linearizable, witness{}, -1
}

// oldest is the value with the earliest add that was not removed, if that add
// returned before a position.
func (s *stack) oldest(before int32) int32 {
	first := int32(-1)
	for v := range s.values {
		if m := &s.values[v]; s.isLeft(m) && m.ae < before && (first < 0 || m.ae < s.values[first].ae) {
			first = int32(v)
		}
	}
	return first
}

func (s *stack) oldestOf(values []int32) int32 {
	for _, v := range values { // in the order of ae
		if s.isLeft(&s.values[v]) {
			return v
		}
	}
	return -1
}

func (s *stack) isLeft(m *match) bool { return m.as != 0 && m.rs > s.n }

// hull is the witness for values none of which can be below the others.
func (s *stack) hull(values []int32) witness {
	w := witness{rule: hull, values: values, op: -1}
	last := int32(0)
	for _, v := range values {
		if m := &s.values[v]; m.rs > last && m.re <= s.n {
			last, w.guess = m.rs, m.re
		}
	}
	return w
}
