package batch

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// deadlines guesses by when the values of a stack that nobody removed were taken by pending
// removes. All stay at first. Where an operation finds nothing, or a component is stuck, deadlines of some
// values move forward until the rest fits. Then pending removes are given to values in the order of
// deadlines, and the result is decided like any other: a wrong guess costs time and nothing else.
// docs/proofs/pending-operations.md says why they are seldom wrong. A stuck component takes time in
// proportion to its values.
type deadlines struct {
	*Container
	few   []int32 // by value: so many pending removes, the first ones, are in time for it
	moved int     // how often one moved
	work  int
}

// assign gives pending removes to values, and reports whether all fits then.
func (s *Stack) assign(c *columns.Columns) bool {
	d := &deadlines{Container: &s.Container, few: slices.Repeat([]int32{int32(len(s.pending)) + 1}, len(s.values))}
	if len(s.empties) > 0 && !d.clear(c) {
		return false
	}
	if s.peeks.any {
		d.uncover(c)
	}
	s.elimination.deadlines = d
	_, ok := s.elimination.eliminate(s.values, s.only, s.n)
	s.elimination.deadlines = nil
	taken := d.order()
	stay := func() {
		for _, v := range taken {
			s.values[v].rs = s.n + 1
		}
	}
	stay()
	if !ok || len(taken) > len(s.pending) {
		return false
	}
	for t, v := range taken {
		s.values[v].rs = s.pending[t]
	}
	if _, a := s.check(c); a != Linearizable {
		stay()
		return false
	}
	return true
}

// order lists the values that have a deadline, the earliest first.
func (d *deadlines) order() (all []int32) {
	for v, n := range d.few {
		if int(n) <= len(d.pending) {
			all = append(all, int32(v))
		}
	}
	slices.SortStableFunc(all, func(v, w int32) int { return int(d.few[v] - d.few[w]) })
	return all
}

// clear moves deadlines so that operations which find nothing do so in their last gap in no core of
// the values that were removed: values that cover all of its gaps, which are taken before the last one, come first. It
// is false if the values that were removed leave no gap. O(n).
func (d *deadlines) clear(c *columns.Columns) (ok bool) {
	d.withoutLeft(func() {
		d.covering()
		_, ok = d.uncovered(c)
	})
	if !ok {
		return false
	}
	first, all, last, added := d.never(), d.never(), d.never(), d.never() // by position: for values that are in from it on
	for g := d.n + 1; g >= 0; g-- {
		if first[g] = first[g+1]; d.cover[g] <= g {
			first[g] = g
		}
	}
	for _, e := range d.empties {
		g := first[c.Call[e]]
		all[g] = min(all[g], d.last[c.Ret[e]-1])
	}
	untilNext(all)
	for v := range d.values {
		if m := &d.values[v]; d.isLeft(m) {
			if d.move(int32(v), all[m.ae]+1); int(d.few[v]) > len(d.pending) {
				added[m.ae] = m.ae
			}
		}
	}
	untilNext(added)
	for _, e := range d.empties {
		g := d.last[min(c.Ret[e], added[first[c.Call[e]]+1])-1]
		last[g] = g
	}
	untilNext(last)
	for v := range d.values {
		if m := &d.values[v]; d.isLeft(m) {
			d.move(int32(v), last[m.ae]+1)
		}
	}
	return true
}

// look is what saw a value, whose core begins at from, on top: in one of the gaps from first to last in
// which nothing is in that was removed and surely came later.
type look struct{ value, from, first, last int32 }

// uncover moves deadlines of values that are in at all gaps in which one below is on top. O(n log n) if few
// looks last long.
func (d *deadlines) uncover(c *columns.Columns) {
	type above struct{ v, in, of int32 } // v is in from a position on, and above what is in at another
	var left []above
	for v := range d.values {
		if m := &d.values[v]; d.isLeft(m) {
			left = append(left, above{int32(v), d.from(int32(v)), m.as})
			d.eachPeek(int32(v), func(op int32) { left = append(left, above{int32(v), c.Ret[op], c.Call[op]}) })
		}
	}
	slices.SortFunc(left, func(x, y above) int { return int(y.in - x.in) })
	looks := d.looks(c)
	slices.SortFunc(looks, func(x, y look) int { return int(y.first - x.first) })
	all := looks
	var least []look // of the looks so far those that no other has both an older value and an earlier last gap; by from
	place := func(from int32) int {
		return sort.Search(len(least), func(i int) bool { return least[i].from >= from })
	}
	for _, x := range left {
		for ; len(looks) > 0 && looks[0].first >= x.in; looks = looks[1:] {
			l := looks[0]
			i := place(l.from)
			if i > 0 && least[i-1].last <= l.last {
				continue
			}
			n := i
			for n < len(least) && least[n].last >= l.last {
				n++
			}
			least = slices.Replace(least, i, n, l)
		}
		i := place(x.of) - 1
		if i >= 0 && least[i].value != x.v {
			d.move(x.v, least[i].last+1)
		} else if i >= 0 { // those of others
			for _, l := range all[:len(all)-len(looks)] {
				if l.value != x.v && l.from < x.of {
					d.move(x.v, l.last+1)
				}
			}
		}
	}
}

// looks lists what saw values.
func (d *deadlines) looks(c *columns.Columns) (looks []look) {
	latest := d.latest()
	for v := range d.values {
		if d.values[v].as == 0 {
			continue
		}
		m, from := &d.values[v], d.from(int32(v))
		d.eachPeek(int32(v), func(op int32) {
			x := look{value: int32(v), from: from}
			for g := max(c.Call[op], m.as); g < min(c.Ret[op], m.re); g++ {
				if latest[g] <= from {
					x.first, x.last = firstOf(x.first, g), g
				}
			}
			if x.first != 0 {
				looks = append(looks, x)
			}
		})
	}
	return looks
}

// latest is by gap the latest call of an add of what is in and was removed.
func (d *deadlines) latest() []int32 {
	added := make([]int32, d.n+2) // by position: 1 + the value whose add is called there
	for v := range d.values {
		if m := &d.values[v]; m.as != 0 && m.re <= d.n {
			added[m.as] = int32(v) + 1
		}
	}
	latest, next := make([]int32, d.n+3), make([]int32, d.n+3)
	gap := func(g int32) int32 { // the first one from g on that has none yet
		for next[g] != 0 {
			if n := next[next[g]]; n != 0 {
				next[g] = n
			}
			g = next[g]
		}
		return g
	}
	for at := d.n; at > 0; at-- {
		if v := added[at] - 1; v >= 0 {
			for g := gap(d.from(v)); g < d.to(v); g = gap(g) {
				latest[g], next[g] = at, g+1
			}
		}
	}
	return latest
}

// never is a position after all events, by position.
func (d *deadlines) never() []int32 { return slices.Repeat([]int32{d.n + 2}, int(d.n)+3) }

// untilNext has each position look at the least of those from it on.
func untilNext(at []int32) {
	for g := len(at) - 2; g >= 0; g-- {
		at[g] = min(at[g], at[g+1])
	}
}

// move moves a value's deadline before a position.
func (d *deadlines) move(v, before int32) {
	if before > d.n {
		return
	}
	n := int32(sort.Search(len(d.pending), func(t int) bool { return d.pending[t] >= before }))
	if n < d.few[v] {
		d.few[v] = n
		d.moved++
	}
}

// place is where a value's core ends by its deadline: nowhere if no pending remove is in time.
func (d *deadlines) place(v int32) {
	switch n := d.few[v]; {
	case n == 0:
		d.values[v].rs = 0
	case int(n) <= len(d.pending):
		d.values[v].rs = d.pending[n-1]
	}
}

// free moves deadlines for a stuck component. It is false if that changes nothing, or takes too long.
//
// The values that were removed and can be below all others are gone by the position late. If values
// that may be taken last longer they must not; if none does, something lasts longer behind the last gap
// that only such values cover.
func (d *deadlines) free(vs []int32) bool {
	if d.work += len(vs); d.work > maxWork || d.stopped() {
		return false
	}
	e, late, longer := d.values[vs[0]].ae, int32(0), false
	for _, v := range vs {
		if m := &d.values[v]; m.re <= d.n && m.as < e {
			late = max(late, m.re)
		}
	}
	reach, gap, behind := int32(0), int32(0), int32(0) // of values that were removed
	for _, v := range vs {
		switch m := &d.values[v]; {
		case m.re > d.n:
			longer = longer || m.rs > late
			continue
		case reach > 0 && m.ae > reach:
			gap = m.ae
		}
		if reach = max(reach, d.values[v].rs); reach > late && behind == 0 {
			if behind = gap; gap == 0 { // they are stuck without values that may be taken
				return false
			}
		}
	}
	if longer {
		behind = late
	}
	before := d.moved
	if behind > 0 {
		d.before(vs, behind)
	}
	return d.moved > before
}

// before moves the deadlines of values that are in at a position to before it: of those that nothing but
// values that were removed connects to the first one. Where there are none, rather those move that have a
// deadline, before the last gap that only they cover.
func (d *deadlines) before(vs []int32, at int32) {
	reach, joined := int32(0), true
	any, gap, first := false, int32(0), int32(0) // the last gap before the first value that need not be taken so far
	top, others := int32(0), []int32(nil)
	for _, v := range vs {
		switch m := &d.values[v]; {
		case m.re <= d.n:
			if joined = joined && (reach == 0 || m.ae < reach); joined {
				reach = max(reach, m.rs)
			}
			if first == 0 && top > 0 && m.ae > top {
				gap = m.ae
			}
			top = max(top, m.rs)
		case m.rs > at && joined && m.ae < reach:
			d.move(v, at)
			any = true
		case m.rs > at:
			others = append(others, v)
			if first == 0 && m.rs > d.n {
				if first = m.ae; first > top {
					gap = first
				}
			}
		}
	}
	switch {
	case any:
	case first > 0 && gap > 0:
		for _, v := range vs {
			if m := &d.values[v]; m.re > d.n && m.ae < gap && m.rs > gap {
				d.move(v, gap)
			}
		}
	default:
		for _, v := range others {
			d.move(v, at)
		}
	}
}

// relink puts the values of a part where they are by their deadlines, and leaves those out that are no
// constraint then. It is false if none is left.
func (p *elimination) relink(c *part) bool {
	l := lists{p.nodes, part{firstA: -1, lastA: -1, firstR: -1, lastR: -1, anew: true}}
	var moved, rest []int32
	all := p.List(*c)
	for _, v := range all {
		if m := &p.values[v]; m.re > p.n {
			p.deadlines.place(v)
			if p.nodes[v].alive = m.ae < m.rs; p.nodes[v].alive {
				moved = append(moved, v)
			}
		}
	}
	for v := c.firstR; ; v = p.nodes[v].nextR {
		if p.values[v].re <= p.n {
			rest = append(rest, v)
		}
		if v == c.lastR {
			break
		}
	}
	slices.SortStableFunc(moved, func(v, w int32) int { return int(p.values[v].rs - p.values[w].rs) })
	for _, v := range all {
		if p.nodes[v].alive {
			l.appendA(v)
		}
	}
	for len(rest) > 0 || len(moved) > 0 {
		from := &rest
		if len(rest) == 0 || len(moved) > 0 && p.values[moved[0]].rs < p.values[rest[0]].rs {
			from = &moved
		}
		l.appendR((*from)[0])
		*from = (*from)[1:]
	}
	*c = l.part
	return c.firstA >= 0
}
