package monitor

import (
	"cmp"
	"slices"
)

// frontOrder makes a linearization of a queue in which the front was looked at:
// the values in an order that frontTurns finds, what saw a value and its remove
// one behind the other, each as early as those before it allow, and each add as
// early as it can. O(n log n).
func (q *queue) frontOrder(a *agenda) bool {
	values, ok := q.frontTurns()
	if !ok {
		return false
	}
	var steps, peeks []int32
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
		q.lookers(v, func(op int32) { peeks = append(peeks, op) })
		for _, op := range slices.Backward(peeks) {
			put(max(m.as, a.call[op]), ^op)
		}
		put(max(m.as, m.rs), v*2+1)
	}
	q.arrange(a, steps)
	return true
}

// frontTurns orders the values such that none comes before one that was in
// before its add was called, or was at the front before it was last seen there.
// A value can be next if that is so of none that is left; if there is no such
// value, two exclude each other. It reports whether all could be ordered, which
// they can where checkFronts finds nothing.
func (q *queue) frontTurns() (order []int32, ok bool) {
	x := &q.fronts
	var all []int32
	for v := range q.values {
		if q.values[v].as != 0 {
			all = append(all, int32(v))
		}
	}
	by := func(key func(v int32) int32) []int32 {
		vs := slices.Clone(all)
		slices.SortFunc(vs, func(v, w int32) int { return cmp.Compare(key(v), key(w)) })
		return vs
	}
	var (
		begin = by(func(v int32) int32 { return q.values[v].as })
		came  = by(func(v int32) int32 { return q.came(int(v)) })
		last  = by(func(v int32) int32 { return x.l[v] })
		first = by(func(v int32) int32 { return x.f[v] })
		taken = make([]bool, len(q.values))
		in    = make([]bool, len(q.values)) // it may be next by the adds
		front = make([]bool, len(q.values)) // and by what happened at the front
	)
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
	for before := -1; before < len(order) && len(order) < len(all); {
		before = len(order)
		came = left(came)
		for ; len(begin) > 0 && q.values[begin[0]].as <= q.came(int(came[0])); begin = begin[1:] {
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
	return order, len(order) == len(all)
}
