package monitor

import (
	"cmp"
	"slices"
)

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
