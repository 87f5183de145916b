package monitor

// moments are the gaps in which the operations of a priority queue can take
// effect.
type moments struct {
	add, remove []int32 // by value; remove is never for those that stay
	peek        []int32 // by operation
}

// of chooses the gaps for a value, given where its remove can be at the
// earliest, and the gaps in no core of higher values. From its add to its
// remove, each gap but the ends is in its core or that of a higher value, so
// that the removes of lower values, which are in neither, are not disturbed.
//
// base is the latest gap for the add that does not come behind an operation
// which returned. A peek takes a gap behind it, if there is one before the
// remove, or else the last gap there is: then all gaps from there to base are in
// cores of higher values.
func (x *moments) of(q *priorities, c *columns, v, remove int32) {
	m := &q.values[v]
	from, _ := q.core(v)
	base := min(from, m.re) - 1
	x.remove[v] = remove
	x.add[v] = min(base, remove)
	q.lookers(v, func(op int32) {
		g := q.free.next(max(m.as, c.call[op], base))
		if g >= c.ret[op] || g > remove {
			g = q.free.prev(min(c.ret[op]-1, remove))
		}
		x.peek[op] = g
		x.add[v] = min(x.add[v], g)
	})
}

// order makes a linearization. In a gap, removes come first, from the highest
// to the lowest; then what finds nothing; then peeks of values that stay, and
// the adds of values that stay, from the lowest to the highest, with their
// peeks.
func (q *priorities) order(a *agenda) bool {
	x := &moments{make([]int32, a.values), make([]int32, a.values), make([]int32, len(a.call))}
	q.moment = x
	q.check(a.columns)
	q.moment = nil
	in := func(v int32) bool { return int(v) < len(q.values) && q.values[v].as != 0 }
	for _, v := range q.ranked {
		if in(v) && x.add[v] != x.remove[v] {
			q.peeks(a, x, v, func(g int32) bool { return g == x.add[v] })
			a.first(x.add[v], a.called(q.values[v].as))
		}
	}
	for _, v := range q.ranked {
		if in(v) {
			q.peeks(a, x, v, func(g int32) bool { return x.add[v] < g && g < x.remove[v] })
		}
	}
	for _, e := range q.empties {
		a.first(q.free.next(a.call[e]), e)
	}
	for i := len(q.ranked) - 1; i >= 0; i-- {
		v := q.ranked[i]
		if !in(v) || x.remove[v] == never {
			continue
		}
		a.firstRemove(x.remove[v], q.values[v].rs, q.values[v].as)
		q.peeks(a, x, v, func(g int32) bool { return g == x.remove[v] })
		if x.add[v] == x.remove[v] {
			a.first(x.add[v], a.called(q.values[v].as))
		}
	}
	return true
}

// peeks puts the peeks of a value that take effect in certain gaps there.
func (q *priorities) peeks(a *agenda, x *moments, v int32, at func(gap int32) bool) {
	q.lookers(v, func(op int32) {
		if at(x.peek[op]) {
			a.first(x.peek[op], op)
		}
	})
}
