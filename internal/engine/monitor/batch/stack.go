package batch

import (
	"cmp"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// Stack decides last-in-first-out stacks: in O(n log n) if no pending remove
// must have taken something, see taking for the others. Proof: docs/proofs/stack.md.
type Stack struct {
	Container
	elimination elimination
	only        []int32 // the values that are taken away; nil for all
}

// Decide implements Algorithm.
func (s *Stack) Decide(c *columns.Columns, n int32) (Answer, Witness) {
	if w, bad := s.load(c, n); bad {
		return Violating, w
	}
	s.only = nil
	t := taking{forcing: s, Container: &s.Container}
	return t.decide(c)
}

// check finds a stuck component, its values by ae, or an operation.
func (s *Stack) check(c *columns.Columns) (failure, Answer) {
	if len(s.empties) > 0 {
		s.covering()
		if op, ok := s.uncovered(c); !ok {
			return failure{op: op}, Violating
		}
	}
	var stuck []int32
	ok, known := false, true
	if s.peeks.any {
		p := peekElimination{Container: &s.Container, c: c}
		stuck, ok, known = p.eliminate()
	} else {
		stuck, ok = s.elimination.eliminate(s.values, s.only, s.n)
	}
	switch {
	case !known:
		return failure{op: -1}, Unclear
	case !ok:
		return failure{-1, stuck}, Violating
	}
	return failure{}, Linearizable
}

// forced is the value with the first ae of those that are left in the way.
func (s *Stack) forced(c *columns.Columns, f failure) int32 {
	if f.op < 0 {
		for _, v := range f.values {
			if s.isLeft(&s.values[v]) {
				return v
			}
		}
		return -1
	}
	return s.firstLeft(func(_ int32, m *match) bool { return m.ae < c.Ret[f.op] })
}

// blame is the witness of the first failure. The values that were taken away before
// it can be, whatever pending removes take.
func (s *Stack) blame(c *columns.Columns, f failure) Witness {
	s.only = f.values
	if f.op >= 0 {
		return s.coveredBy(c, f.op)
	}
	w := Witness{Rule: Hull, Values: f.values, Op: -1}
	begin, end := columns.Never, int32(0)
	for _, v := range f.values {
		from, to := s.core(v)
		begin, end = min(begin, from), max(end, to)
	}
	last := int32(0)
	for _, v := range f.values {
		m := &s.values[v]
		w.Sides = append(w.Sides, side{m.as > begin, m.re < end})
		if m.rs > last && m.re <= s.n {
			last, w.guess = m.rs, m.re
		}
	}
	return w
}

// Linearize makes a linearization: values are taken away once more, each of which
// is added before and removed after all that is left of its component then.
// Those that are no constraint come where their operations overlap.
func (s *Stack) Linearize(a *Linearizer) bool {
	if s.peeks.any {
		s.linearize(a, s.peekSteps(a))
	} else {
		s.elimination.record = true
		s.elimination.eliminate(s.values, nil, s.n)
		s.elimination.record = false
		s.linearize(a, s.elimination.steps)
	}
	for v := range s.values {
		if from, to := s.core(int32(v)); s.values[v].as != 0 && from > to {
			s.aside(a, int32(v))
		}
	}
	return true
}

// aside puts all operations of a value whose core is empty into one gap.
func (s *Stack) aside(a *Linearizer, v int32) {
	m := &s.values[v]
	_, to := s.core(v)
	gap := max(m.as, to)
	a.firstRemove(gap, m.rs, m.as)
	s.eachPeek(v, func(op int32) { a.first(gap, op) })
	a.first(gap, a.called(m.as))
}

// peekSteps is the steps of the values whose cores are not empty.
func (s *Stack) peekSteps(a *Linearizer) (steps []int32) {
	p := &peekElimination{Container: &s.Container, c: a.Columns}
	for _, part := range p.connected(nil, p.cores()) {
		steps = p.steps(steps, part)
	}
	return steps
}

// steps appends those of a component: the value at the bottom is added first and
// removed last, and what saw it comes between the components of the others, at
// gaps in no core of these.
func (p *peekElimination) steps(steps, part []int32) []int32 {
	at := p.bottom(part)
	v := part[at]
	parts := p.connected(nil, slices.Delete(slices.Clone(part), at, at+1))
	type seen struct{ gap, op int32 }
	var peeks []seen
	free := p.freeOf(part, v)
	p.eachPeek(v, func(op int32) {
		g, _ := free.from(max(p.values[v].as, p.c.Call[op]), columns.Never)
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
