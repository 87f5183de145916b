package batch

import (
	"cmp"
	"slices"
	"sort"
)

// Stack decides last-in-first-out stacks: in O(n log n) if no pending remove
// must have taken something, see taking for the others. Notions: docs/proofs/near-linear.md; operations that find nothing:
// docs/proofs/finding-nothing.md.
//
// Values without a core. All operations of such a value share a gap. There it is pushed, seen and popped at once,
// whatever else is in. They are no constraint.
//
// Components. The other values fall into components, connected by their cores. Between two components there is a
// gap in no core, so they are decided one by one.
//
// Claim. Let C be a component, E the first from and S the last to of its values. C is linearizable iff it has a
// value v such that
//
//   - as < E and re > S, and
//   - each operation that saw v has a gap that is in no core of the others, not before as and not after re,
//
// and C without v is linearizable. It does not matter which such v is taken.
//
// If. Let L be a linearization of C without v. Push v before all of it, and pop it after all of it. Everything in
// C returns at E or later: adds and what sees a value by the definition of E, a remove since its core is not empty
// and it returns after to. Likewise everything is called at S or before. So real time allows that. An operation
// that saw v has a gap g in no core of the others: cut L at g, as in docs/proofs/finding-nothing.md, and put it
// between the two parts. Only v is in there, so it is on top. With several such operations L is cut several times;
// a value to the left of one cut is to the left of the later ones.
//
// Only if. Let w be pushed first in a linearization of C. If something is pushed after w is popped, the stack is
// empty at some moment between, in a gap g. Values popped before it have to ≤ g, values pushed after it from > g:
// so C is not connected. Hence w is popped last, and all of C happens between: nothing returned before its push
// was called, and nothing is called after its pop returned. What saw w took effect when nothing else of C was in,
// in a gap in no core of the others. Deleting w leaves a linearization.
//
// Deleting any value from a linearization of a stack leaves one. So if C is linearizable it is without v, too,
// whether v is w or another value that meets the conditions: nothing is lost by taking it.
//
// Shorter prefixes. Stack remembers what was left when a prefix H was stuck, and no pending remove had been given
// a value: a set B of values, while the others, A, were taken away or have no core. Let H' be a prefix of H in
// which nobody saw a value. If H' with the values of B alone is linearizable, and pending removes take nothing,
// then H' is linearizable, as long as what found nothing in H' has its gap. (If it is not, pending removes may
// help, and all values are looked at again.) For let the operations of B go on after H' otherwise than in H: each
// value that is still in is removed right there, from the top downwards, where removes that were called in H' go
// on until then. That is a linearizable execution of B. Each core of it lies within the core that the value has in
// H, and adds are called when they are in H, so with A as in H components are smaller, E is later and S is
// earlier: A is taken away from it as it is in H. So it is linearizable together with A, and H' is a prefix of
// that.
//
// # Time
//
// Without peeks, elimination takes O(n log n). A component's two ends only move inwards, and the values that come
// to meet a condition are found by reading the events that an end moves over. When no value can be taken, a place
// where the component falls apart is looked for from both ends at once, at the cost of the smaller part.
//
// With peeks, a value is taken away once each operation that saw it has a gap, too. looks counts by gap the cores
// of the values that are left, in a tree: O(log n) for each question, and for each value that leaves. Values that
// wait for a gap are asked again after something left, up to a bound (maxLooks), after which there is no verdict.
// That other components count as well makes no difference: if an operation that saw v has a gap outside the hull
// of v's component that is in no core of this component, the gap just before the hull, or the first one behind it,
// is one that is in no core at all.
//
// peekElimination makes the linearization, in O(n) for each value.
type Stack struct {
	Container
	elimination elimination
	looks       looks
	only        []int32 // the values that are taken away; nil for all
	rest        rest
}

// rest is what was left of a prefix of some columns when it was stuck. A shorter prefix is
// linearizable if these values alone are and no pending remove takes any (see Stack).
type rest struct {
	of     *Columns
	n      int32
	values []int32
}

// Decide implements Algorithm.
func (s *Stack) Decide(c *Columns, n int32) (Answer, Witness) {
	if w, bad := s.load(c, n); bad {
		return Violating, w
	}
	if s.rest.of == c && n < s.rest.n {
		s.only = s.rest.values
		if _, a := s.check(c, nil); a == Linearizable {
			return a, Witness{}
		}
	}
	s.only = nil
	t := taking{forcing: s, Container: &s.Container}
	return t.decide(c)
}

// check finds a stuck component, its values by ae, or an operation.
func (s *Stack) check(c *Columns, undo func(failure) bool) (failure, Answer) {
	if len(s.empties) > 0 {
		s.covering()
		if op, ok := s.uncovered(c, undo); !ok {
			return failure{op: op}, Violating
		}
	}
	values, e := s.values, &s.elimination
	if e.undo, e.looks = undo, nil; s.peeks.any {
		values, e.looks = s.looks.load(&s.Container, c), &s.looks
	}
	switch stuck, ok := e.eliminate(values, s.only, s.n); {
	case !ok && stuck == nil:
		return failure{op: -1}, Unclear
	case !ok:
		if s.only == nil && !s.peeks.any {
			s.keep(c)
		}
		return failure{op: -1, values: stuck}, Violating
	}
	return failure{}, Linearizable
}

// keep remembers the values that are left. Parts of columns are decided in between, and not remembered.
func (s *Stack) keep(c *Columns) {
	if s.rest.of != nil && len(c.Call) < len(s.rest.of.Call) {
		return
	}
	s.rest.of, s.rest.n, s.rest.values = c, s.n, s.rest.values[:0]
	for v := range s.elimination.nodes {
		if s.elimination.nodes[v].alive {
			s.rest.values = append(s.rest.values, int32(v))
		}
	}
}

// ways lists those to have a stuck component fall apart at a gap, or to have what saw a value that can be below all others on top. Where
// a value outlasts all others once they are taken earlier, there is a gap just before its remove returns.
func (s *Stack) ways(_ *Columns, f failure) (ways []way, open bool) {
	first, last := s.from(f.values[0]), int32(0)
	for _, v := range f.values {
		first, last = min(first, s.from(v)), max(last, s.to(v))
	}
	ways = s.openings(first, last, f.values)
	if !s.peeks.any {
		return ways, false
	}
	for i, v := range f.values {
		if m := &s.values[v]; m.as >= first || m.re <= last {
			continue
		}
		if from, to, stuck := s.looks.unseen(v); stuck {
			ways = append(ways, s.openings(from, to, slices.Delete(slices.Clone(f.values), i, i+1))...)
		}
	}
	return ways, false
}

// openings lists the ways to have one of the gaps s..e-1 in no core of certain values.
func (k *Container) openings(s, e int32, values []int32) []way {
	k.looked += len(values)
	var fixed []stretch
	var left []int32 // values that pending removes may have taken
	for _, v := range values {
		from, to := k.core(v)
		if from >= to || from >= e || to <= s {
			continue
		}
		if k.values[v].re > k.n {
			left = append(left, v)
			_, to = k.seenFrom(v)
		}
		if from < to {
			fixed = append(fixed, stretch{from, to})
		}
	}
	slices.SortFunc(left, func(v, w int32) int { return cmp.Compare(k.from(v), k.from(w)) })
	slices.SortFunc(fixed, func(x, y stretch) int { return cmp.Compare(x.from, y.from) })
	ways, _ := k.between(s, e, fixed, left)
	return ways
}

// blame is the witness of the first failure. The values that were taken away before
// it can be, whatever pending removes take.
func (s *Stack) blame(c *Columns, f failure) Witness {
	s.only = f.values
	if f.op >= 0 {
		return s.coveredBy(c, f.op)
	}
	w := Witness{Rule: Hull, Values: f.values, Op: -1}
	early, late, crossed := s.crossed(f.values)
	if crossed {
		w.Values = []int32{early, late}
	}
	begin, end := Never, int32(0)
	for _, v := range w.Values {
		from, to := s.core(v)
		begin, end = min(begin, from), max(end, to)
	}
	last := int32(0)
	for _, v := range w.Values {
		m := &s.values[v]
		w.Sides = append(w.Sides, side{m.as > begin, m.re < end})
		if m.rs > last && m.re <= s.n {
			last, w.guess = m.rs, m.re
		}
	}
	if crossed {
		w.guess = s.values[early].re
	}
	return w
}

// crossed finds a value that was removed too early for another one, which was added later, surely before
// the remove was called, and left after it. Of all such pairs it has the first remove that returned; and
// no pending remove can have taken the other value. O(n log n).
func (s *Stack) crossed(some []int32) (early, late int32, found bool) {
	vs := slices.Clone(some)
	slices.SortFunc(vs, func(v, w int32) int { return cmp.Compare(s.values[v].ae, s.values[w].ae) })
	latest := make([]int32, len(vs)+1) // Fenwick tree, by place: 1 + the value with the largest rs, or 0
	later := func(v, w int32) int32 {
		if v == 0 || w != 0 && s.values[w-1].rs > s.values[v-1].rs {
			return w
		}
		return v
	}
	place := make([]int32, len(s.values))
	for i, v := range vs {
		place[v] = int32(i)
	}
	byCall := slices.Clone(vs)
	slices.SortFunc(byCall, func(v, w int32) int { return cmp.Compare(s.values[w].as, s.values[v].as) })
	for _, v := range slices.Backward(vs) {
		m := &s.values[v]
		for ; len(byCall) > 0 && s.values[byCall[0]].as > m.ae; byCall = byCall[1:] {
			if len(s.pending) > 0 && s.isLeft(&s.values[byCall[0]]) {
				continue
			}
			for i := place[byCall[0]] + 1; int(i) < len(latest); i += i & -i {
				latest[i] = later(latest[i], byCall[0]+1)
			}
		}
		w := int32(0)
		for i := sort.Search(len(vs), func(i int) bool { return s.values[vs[i]].ae >= m.rs }); i > 0; i -= i & -i {
			w = later(w, latest[i])
		}
		if w > 0 && s.values[w-1].rs > m.re && (!found || m.re < s.values[early].re) {
			early, late, found = v, w-1, true
		}
	}
	return early, late, found
}

// Linearize makes a linearization: values are taken away once more, each of which
// is added before and removed after all that is left of its component then.
// Those that are no constraint come where their operations overlap.
func (s *Stack) Linearize(a *Linearizer) bool {
	if s.peeks.any {
		steps, ok := s.peekSteps(a)
		if !ok {
			return false
		}
		s.linearize(a, steps)
	} else {
		s.elimination.record, s.elimination.looks = true, nil
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

// peekSteps is the steps of the values whose cores are not empty. It is false if that takes too long.
func (s *Stack) peekSteps(a *Linearizer) (steps []int32, ok bool) {
	p := &peekElimination{Container: &s.Container, c: a.Columns}
	for _, part := range p.connected(nil, p.cores()) {
		steps = p.steps(steps, part)
	}
	return steps, p.work <= maxElimination
}

// steps appends those of a component: the value at the bottom is added first and
// removed last, and what saw it comes between the components of the others, at
// gaps in no core of these.
func (p *peekElimination) steps(steps, part []int32) []int32 {
	if p.work += len(part); p.work > maxElimination {
		return steps
	}
	at := p.bottom(part)
	v := part[at]
	parts := p.connected(nil, slices.Delete(slices.Clone(part), at, at+1))
	type seen struct{ gap, op int32 }
	var peeks []seen
	free := p.freeOf(part, v)
	p.eachPeek(v, func(op int32) {
		g, _ := free.from(max(p.values[v].as, p.c.Call[op]), Never)
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

// peekElimination takes the values of a stack away once more, component by component, where the
// value on top was looked at. A value that is below all others of its component
// is on top in the gaps that are in no core of these.
//
// It takes O(n) for each value taken away, up to a bound.
type peekElimination struct {
	*Container
	c    *Columns
	work int
}

// maxElimination bounds how often a value is looked at to make a linearization, and maxLooks how often it is
// asked whether an operation that saw a value has a gap.
const (
	maxElimination = 100_000_000
	maxLooks       = 10_000_000
)

// cores lists the values whose cores are not empty, in the order of their begins.
func (p *peekElimination) cores() (all []int32) {
	for v := range p.values {
		if from, to := p.core(int32(v)); p.values[v].as != 0 && from < to {
			all = append(all, int32(v))
		}
	}
	slices.SortFunc(all, func(v, w int32) int { return int(p.from(v) - p.from(w)) })
	return all
}

// connected appends the components of values that are in the order of the
// begins of their cores.
func (p *peekElimination) connected(parts [][]int32, vs []int32) [][]int32 {
	high, begin := int32(0), 0
	for i, v := range vs {
		if i > begin && p.from(v) > high {
			parts = append(parts, vs[begin:i])
			begin = i
		}
		high = max(high, p.to(v))
	}
	if begin < len(vs) {
		parts = append(parts, vs[begin:])
	}
	return parts
}

// bottom is the place of a value of a component that can be below all others,
// or -1.
func (p *peekElimination) bottom(part []int32) int {
	first, last := p.from(part[0]), int32(0)
	for _, v := range part {
		last = max(last, p.to(v))
	}
	for i, v := range part {
		if m := &p.values[v]; m.as < first && m.re > last && p.onTop(part, v) {
			return i
		}
	}
	return -1
}

// onTop reports whether what saw a value has gaps in no core of the others.
func (p *peekElimination) onTop(part []int32, v int32) bool {
	m := &p.values[v]
	var free *outsideOf
	ok := true
	p.eachPeek(v, func(op int32) {
		if free == nil {
			free = p.freeOf(part, v)
		}
		if _, has := free.from(max(m.as, p.c.Call[op]), min(p.c.Ret[op], m.re)); !has {
			ok = false
		}
	})
	return ok
}

// outsideOf is the gaps in no core of some values.
type outsideOf struct{ begins, high []int32 } // of the cores; the highest end so far

// freeOf is the gaps in no core of a component without one of its values.
func (p *peekElimination) freeOf(part []int32, v int32) *outsideOf {
	p.work += len(part)
	x := &outsideOf{make([]int32, 0, len(part)), make([]int32, 0, len(part))}
	end := int32(0)
	for _, w := range part {
		if w != v {
			end = max(end, p.to(w))
			x.begins, x.high = append(x.begins, p.from(w)), append(x.high, end)
		}
	}
	return x
}

// from is the first of the gaps g..end-1; false if there is none.
func (x *outsideOf) from(g, end int32) (gap int32, ok bool) {
	for g < end {
		i := sort.Search(len(x.begins), func(i int) bool { return x.begins[i] > g })
		if i == 0 || x.high[i-1] <= g {
			return g, true
		}
		g = x.high[i-1]
	}
	return 0, false
}
