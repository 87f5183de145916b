package monitor

import (
	"cmp"
	"slices"
)

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

// order makes a linearization: values are taken away once more, each of which
// is added before and removed after all that is left of its component then.
// Those that are no constraint come where their operations overlap.
func (s *stack) order(a *agenda) bool {
	if s.looks.any {
		s.arrange(a, s.peekSteps(a))
	} else {
		s.peeling.record = true
		s.peeling.peel(s.values, nil, s.n)
		s.peeling.record = false
		s.arrange(a, s.peeling.steps)
	}
	for v := range s.values {
		if from, to := s.core(int32(v)); s.values[v].as != 0 && from > to {
			s.aside(a, int32(v))
		}
	}
	return true
}

// aside puts all operations of a value whose core is empty into one gap.
func (s *stack) aside(a *agenda, v int32) {
	m := &s.values[v]
	_, to := s.core(v)
	gap := max(m.as, to)
	a.firstRemove(gap, m.rs, m.as)
	s.lookers(v, func(op int32) { a.first(gap, op) })
	a.first(gap, a.called(m.as))
}

// peekSteps is the steps of the values whose cores are not empty.
func (s *stack) peekSteps(a *agenda) (steps []int32) {
	p := &peekPeeling{container: &s.container, c: a.columns}
	for _, part := range p.connected(nil, p.cores()) {
		steps = p.steps(steps, part)
	}
	return steps
}

// steps appends those of a component: the value at the bottom is added first and
// removed last, and what saw it comes between the components of the others, at
// gaps in no core of these.
func (p *peekPeeling) steps(steps, part []int32) []int32 {
	at := p.bottom(part)
	v := part[at]
	parts := p.connected(nil, slices.Delete(slices.Clone(part), at, at+1))
	type seen struct{ gap, op int32 }
	var peeks []seen
	free := p.freeOf(part, v)
	p.lookers(v, func(op int32) {
		g, _ := free.from(max(p.values[v].as, p.c.call[op]), never)
		peeks = append(peeks, seen{g, op})
	})
	slices.SortFunc(peeks, func(x, y seen) int { return cmp.Compare(x.gap, y.gap) })
	steps = append(steps, v*2)
	for _, part := range parts {
		for ; len(peeks) > 0 && peeks[0].gap < p.from(part[0]); peeks = peeks[1:] {
			steps = append(steps, ^peeks[0].op)
		}
		steps = p.steps(steps, part)
	}
	for _, x := range peeks {
		steps = append(steps, ^x.op)
	}
	return append(steps, v*2+1)
}
