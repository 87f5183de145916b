package batch

import (
	"slices"
)

// queuePeeks decides queues in which the value at the front was looked at, in O(n).
//
// For a value let f be the first return of its remove and of what saw it at the front, and l the last call of
// these: they begin and end its block. If f < l the value was surely at the front from f to l, which is a forward
// zone.
//
// Say that u must precede v
//
//   - by adds, if min(aeᵤ, fᵤ) < asᵥ: it was in when v's add was called; or
//   - by blocks, if fᵤ < lᵥ.
//
// Lemma 1. An execution without operations that find nothing is linearizable iff its values are valid, and "must
// precede" has no cycle.
//
// Only if. In a linearization the values have an order in which they come, and in which their blocks follow one
// another. If u must precede v it is earlier in that order: an operation of u's, or what needs it to be in, is
// over before one of v's begins.
//
// If. Extend "must precede" to a total order. Take the adds in it, and the blocks in it, what sees a value in an
// order that real time allows and the remove last. Both sequences respect real time, each by one half of the
// definition. Merge them such that each block comes after its add. If that cannot be done there is a cycle among
// these orders and real time. A shortest one leaves the blocks once, by an operation x of v's block that returned
// before u's add was called, and comes back from an add after it to a block not after x. Then v must precede u by
// adds. It comes back either to the block of a value from u on in the total order, so u is not after v, a
// contradiction; or by real time, to an operation that is called after u's add returned, so after x returned, and
// not after x in its sequence, which respects real time.
//
// The criterion. No two forward zones overlap, no block's two ends lie, in turn, inside one forward zone
// (zoning.fit; that is: no two values must precede each other by blocks). Then every f that lies inside the
// forward zone of another value is moved to the beginning of that zone, and every l to its end: f′ and l′. Now
// there are no a, b with min(aeₐ, f′ₐ) < asᵦ and f′ᵦ < l′ₐ.
//
// Lemma 2. The criterion holds iff "must precede" has no cycle.
//
// Suppose that no two values must precede each other by blocks.
//
//  1. f′ᵤ < l′ᵥ says exactly that a chain of "by blocks" leads from u to v, or that they are one value. Moving fᵤ
//     to the beginning of x's zone stands for the step from u to x: fₓ < fᵤ < lₓ; likewise for l. Two steps u, x,
//     v are one if lₓ < fₓ, as then fᵤ < lₓ < fₓ < lᵥ. If x has a forward zone they are one, unless fᵤ and lᵥ are
//     both inside it, and then they are moved. Forward zones are disjoint, so nothing is moved twice.
//  2. So it is transitive. It is also asymmetric: not both f′ᵤ < l′ᵥ and f′ᵥ < l′ᵤ for two values. Of two forward
//     zones that is clear. A value with l < f has l′ ≤ f′, since its two ends are not inside one forward zone. If
//     one of two values has a forward zone, f′ and l′ of the other do not lie inside it. If none has, f′ᵤ < l′ᵥ ≤
//     f′ᵥ < l′ᵤ ≤ f′ᵤ is impossible.
//  3. Let u precede v by adds′ if min(aeᵤ, f′ᵤ) < asᵥ: a chain of at most one step by blocks and one by adds. If
//     no pair is forbidden by the criterion, asᵤ < f′ᵤ for all u: otherwise the value x whose zone fᵤ was moved
//     over has fₓ < asᵤ and f′ᵤ < lₓ, and is forbidden with u. So the intervals from as to min(ae, f′) are
//     intervals, "by adds′" is the order of intervals that lie one behind the other, and it is transitive.
//  4. Take a shortest cycle of the two. By transitivity its steps alternate. If there are four or more, v₁ by
//     adds′ v₂ by blocks v₃ by adds′ v₄, then by adds′ v₁ precedes v₄ or v₃ precedes v₂, as in every order of
//     intervals. The first is a shorter cycle, the second a forbidden pair. A cycle of two steps is a forbidden
//     pair. So there is none.
//
// Conversely two values that must precede each other by blocks are a cycle, and by 1 and 3 so is a forbidden pair.
//
// Without moving the ends, three values could exclude each other and no two of them.
type queuePeeks struct {
	zones  zoning
	f, l   []int32 // by value, after they were moved
	fb, lb []int32 // 1 + the value whose zone they were moved over
	found  Witness
}

// check decides if pending removes take nothing.
func (q *Queue) check(c *Columns, undo func(failure) bool) (f failure, a Answer) {
	var ok bool
	if q.peeked.found, ok = q.checkFronts(); !ok {
		f = failure{op: -1, values: q.peeked.found.Values}
		if undo != nil && undo(f) {
			return f, Linearizable
		}
		return f, Violating
	}
	q.covering()
	if op, ok := q.uncovered(c, undo); !ok {
		q.peeked.found = q.coveredBy(c, op)
		return failure{op: op}, Violating
	}
	return f, Linearizable
}

func (q *Queue) blame(*Columns, failure) Witness {
	w := q.peeked.found
	w.Values = slices.Clone(w.Values)
	return w
}

// ways: values that exclude each other do so until one of them is taken, or taken before another event of theirs.
func (q *Queue) ways(_ *Columns, f failure) (ways []way, open bool) {
	events := []int32{q.n}
	for _, v := range f.values {
		m := &q.values[v]
		first, last := q.seenFrom(v)
		events = append(events, m.as, m.ae, m.rs, m.re, first, last)
	}
	slices.Sort(events)
	for _, v := range f.values {
		m := &q.values[v]
		if before, _ := slices.BinarySearch(events, m.rs); m.re > q.n && before > 0 {
			ways = append(ways, way{events[before-1], []int32{v}})
		}
	}
	return ways, false
}

// checkFronts looks for values that cannot all have been at the front when they
// were seen there.
func (q *Queue) checkFronts() (w Witness, ok bool) {
	x := &q.peeked
	q.spans()
	if a, b, ok := x.zones.fit(); !ok {
		return x.zones.witness(a, b, -1), false
	}
	x.move(q.n)
	return q.disorder()
}

// spans computes when values were at the front, and their zones.
func (q *Queue) spans() {
	x := &q.peeked
	x.zones.reset(q.n, int32(len(q.values)))
	x.f, x.l = zeroed(x.f, len(q.values)), zeroed(x.l, len(q.values))
	for v := range q.values {
		m := &q.values[v]
		if m.as == 0 {
			continue
		}
		first, last := q.seenFrom(int32(v))
		x.f[v], x.l[v] = firstOf(first, m.re), max(m.rs, last)
		if m.rs > q.n { // it stays, longer than what a pending remove took
			x.f[v], x.l[v] = firstOf(first, q.n+3), q.n+3
		}
		if x.f[v] <= q.n {
			x.zones.add(zone{x.f[v], x.l[v], int32(v), x.f[v]})
		}
	}
}

// move moves ends out of the forward zones of other values.
func (x *queuePeeks) move(n int32) {
	x.fb, x.lb = zeroed(x.fb, len(x.f)), zeroed(x.lb, len(x.f))
	for v := range x.f {
		if x.f[v] == 0 {
			continue
		}
		if at := x.zones.latest[min(x.f[v], n)]; at != 0 && x.f[v] <= n {
			if z := &x.zones.zones[at-1]; z.from < x.f[v] && x.f[v] < z.to {
				x.f[v], x.fb[v] = z.from, z.value+1
			}
		}
		if at := x.zones.latest[min(x.l[v], n)]; at != 0 {
			if z := &x.zones.zones[at-1]; z.from < x.l[v] && x.l[v] < z.to {
				x.l[v], x.lb[v] = z.to, z.value+1
			}
		}
	}
}

// came is when a value was in at the latest.
func (q *Queue) came(v int32) int32 { return min(q.values[v].ae, q.peeked.f[v]) }

// disorder looks for two values that were at the front in another order than
// that in which they came.
func (q *Queue) disorder() (w Witness, ok bool) {
	x := &q.peeked
	q.last = zeroed(q.last, int(q.n)+3) // by position: 1 + the value whose zone ends last, of those that came so far
	later := func(v, w int32) int32 {
		if w == 0 || v != 0 && x.l[v-1] >= x.l[w-1] {
			return v
		}
		return w
	}
	for v := range q.values {
		if q.values[v].as != 0 {
			at := q.came(int32(v))
			q.last[at] = later(q.last[at], int32(v)+1)
		}
	}
	best := int32(0)
	for at, v := range q.last {
		best = later(best, v)
		q.last[at] = best
	}
	for b := range q.values {
		m := &q.values[b]
		if m.as == 0 {
			continue
		}
		if a := q.last[m.as]; a != 0 && x.l[a-1] > x.f[b] {
			return q.frontWitness(a-1, int32(b)), false
		}
	}
	return Witness{}, true
}

func (q *Queue) frontWitness(a, b int32) Witness {
	x := &q.peeked
	w := Witness{Rule: OutOfOrder, Values: []int32{a, b}, Op: -1, guess: q.n}
	for _, z := range []int32{x.fb[a], x.lb[a], x.fb[b]} {
		if z != 0 && z-1 != a && z-1 != b {
			w.Rule, w.Values = front, append(w.Values, z-1)
		}
	}
	return w
}

// Linearize makes a linearization: the values in an order that turns finds, what saw a
// value and its remove one behind the other, each as early as those before it
// allow, and each add as early as it can. O(n).
func (q *Queue) Linearize(a *Linearizer) bool {
	if !q.peeks.any {
		q.spans()
	}
	values, ok := q.turns()
	if !ok {
		return false
	}
	steps, peeks := make([]int32, 0, 2*len(values)), []int32(nil)
	added, at := int32(0), int32(0) // gaps
	next := 0
	put := func(from, step int32) {
		at = max(at, from)
		for ; next < len(values) && max(added, q.values[values[next]].as) <= at; next++ {
			added = max(added, q.values[values[next]].as)
			steps = append(steps, values[next]*2)
		}
		steps = append(steps, step)
	}
	for _, v := range values {
		m := &q.values[v]
		peeks = peeks[:0]
		q.eachPeek(v, func(op int32) { peeks = append(peeks, op) })
		for _, op := range slices.Backward(peeks) {
			put(max(m.as, a.Call[op]), ^op)
		}
		put(max(m.as, m.rs), v*2+1)
	}
	q.linearize(a, steps)
	return true
}

// turns orders the values such that none comes before one that was in before its
// add was called, or was at the front before it was last seen there. A value can
// be next if that is so of none that is left; if there is no such value, two
// exclude each other. It reports whether all could be ordered, which they can
// where check finds nothing.
func (q *Queue) turns() (order []int32, ok bool) {
	x := &q.peeked
	var (
		begin = q.by(func(v int32) int32 { return q.values[v].as })
		came  = q.by(q.came)
		last  = q.by(func(v int32) int32 { return x.l[v] })
		first = q.by(func(v int32) int32 { return x.f[v] })
		all   = len(begin)
		taken = make([]bool, len(q.values))
		in    = make([]bool, len(q.values)) // it may be next by the adds
		front = make([]bool, len(q.values)) // and by what happened at the front
	)
	order = make([]int32, 0, all)
	take := func(v int32) {
		if in[v] && front[v] && !taken[v] {
			taken[v] = true
			order = append(order, v)
		}
	}
	left := func(vs []int32) []int32 { // without those taken at its beginning
		for len(vs) > 0 && taken[vs[0]] {
			vs = vs[1:]
		}
		return vs
	}
	for before := -1; before < len(order) && len(order) < all; {
		before = len(order)
		came = left(came)
		for ; len(begin) > 0 && q.values[begin[0]].as <= q.came(came[0]); begin = begin[1:] {
			in[begin[0]] = true
			take(begin[0])
			if came = left(came); len(came) == 0 {
				return order, true
			}
		}
		first = left(first)
		for ; len(first) > 0 && len(last) > 0 && x.l[last[0]] <= x.f[first[0]]; last, first = last[1:], left(first) {
			front[last[0]] = true
			take(last[0])
		}
		if len(first) == 0 {
			return order, true
		}
		if v, rest := first[0], left(first[1:]); len(rest) == 0 || x.l[v] <= x.f[rest[0]] {
			front[v] = true // it may have been seen there long before its remove
			take(v)
		}
	}
	return order, len(order) == all
}

// by sorts the values by a position. O(n).
func (q *Queue) by(at func(v int32) int32) []int32 {
	place := make([]int32, q.n+5)
	for v := range q.values {
		if q.values[v].as != 0 {
			place[at(int32(v))+1]++
		}
	}
	for i := range place[1:] {
		place[i+1] += place[i]
	}
	sorted := make([]int32, place[len(place)-1])
	for v := range q.values {
		if q.values[v].as != 0 {
			at := &place[at(int32(v))]
			sorted[*at] = int32(v)
			*at++
		}
	}
	return sorted
}
