package batch

import (
	"cmp"
	"slices"
)

// elimination takes the values of a stack away one by one, from the outside.
//
// Values whose add and remove overlap are no constraint. The others lie in
// components, connected by their cores; the hull of a component goes from the
// first end E of an add to the last begin S of a remove. A value whose add began
// before E and whose remove ended after S may be at the bottom while all the
// others come and go, and is taken away, which makes hulls smaller. A component
// in which there is none is stuck: whichever value is at the bottom, its add or
// its remove cannot be outside.
//
// The values are in two lists, by ae and by rs, and a component is a range of
// both. Its two ends only ever move inwards: the values that come to satisfy one
// of the two conditions are found by reading the events that an end moves over.
// Only when no value can be taken away a place is looked for where the component
// falls apart, from both ends at the same time, so that it costs as much as the
// smaller part has values. The conditions of the smaller part are computed anew;
// the larger part reads the events between its old end and its new one.
//
// An event is read once for each end of the component it lies in, and once more
// for each time that it is in the smaller part: O(n log n).
type elimination struct {
	values []match
	n      int32
	event  []int32 // by position: value*4 + which of the four, plus 1
	nodes  []node
	parts  []part
	ready  []int32

	undo  func(failure) bool // for stuck components; nil: nothing can be done
	looks *looks             // nil if nothing was seen

	// With record, eliminate makes a linearization of the values: value*2 for an
	// add, and one more for a remove.
	record bool
	bottom []int32 // values taken away, in order
	steps  []int32
}

// node is a value in the two lists; -1 ends them.
type node struct {
	prevA, nextA, prevR, nextR int32
	alive, early, late         bool // early: as < E; late: re > S
}

// part is a component, or several next to each other.
type part struct {
	firstA, lastA, firstR, lastR int32
	e, s                         int32   // early and late are right for this E and S
	anew                         bool    // or not at all
	closing, from                int     // if not 0: bottom[from:closing] are to be removed
	waiting                      []int32 // early and late, but what saw them has no gap yet
}

const (
	addBegins = iota
	addEnds
	removeBegins
	removeEnds
)

// eliminate takes away what can be of some values, or of all if only is nil. If a
// component is stuck, it lists its values by ae. Parts are looked at from left to right, so it is the first such component.
func (p *elimination) eliminate(values []match, only []int32, n int32) (stuck []int32, ok bool) {
	p.values, p.n = values, n
	p.bottom, p.steps = p.bottom[:0], p.steps[:0]
	all, any := p.link(only)
	if !any {
		return nil, true
	}
	p.parts = append(p.parts[:0], all)
	for len(p.parts) > 0 {
		c := p.parts[len(p.parts)-1]
		p.parts = p.parts[:len(p.parts)-1]
		if c.closing > 0 {
			p.close(c)
			continue
		}
		p.mark(&c)
		from := len(p.bottom)
		more := p.strip(&c)
		if p.record {
			p.open(from)
		}
		if !more {
			continue
		}
		if p.split(c) {
			continue
		}
		if p.looks != nil && p.looks.work > maxLooks {
			return nil, false
		}
		stuck := p.List(c)
		if p.undo == nil || !p.undo(failure{op: -1, values: stuck}) {
			return stuck, false
		}
		if p.relink(&c, stuck) {
			p.parts = append(p.parts, c)
		}
	}
	return nil, true
}

// open adds the values from a place in bottom on, whose removes come when what
// is left of their part is done.
func (p *elimination) open(from int) {
	for _, v := range p.bottom[from:] {
		p.steps = append(p.steps, v*2)
	}
	if len(p.bottom) > from {
		p.parts = append(p.parts, part{closing: len(p.bottom), from: from})
	}
}

func (p *elimination) close(c part) {
	for i := c.closing - 1; i >= c.from; i-- {
		p.steps = append(p.steps, p.bottom[i]*2+1)
	}
}

// link makes the lists, of the values with a core.
func (p *elimination) link(only []int32) (all part, any bool) {
	p.event = zeroed(p.event, int(p.n)+1)
	p.nodes = zeroed(p.nodes, len(p.values))
	if only != nil {
		for _, v := range only {
			if int(v) < len(p.values) {
				p.place(v)
			}
		}
	} else {
		for v := range p.values {
			p.place(int32(v))
		}
	}
	taken := p.taken()
	l := lists{p.nodes, part{firstA: -1, lastA: -1, firstR: -1, lastR: -1, anew: true}}
	for at, ev := range p.event {
		for ; len(taken) > 0 && p.values[taken[0]].rs == int32(at); taken = taken[1:] {
			l.appendR(taken[0])
		}
		if ev == 0 {
			continue
		}
		switch v := (ev - 1) / 4; (ev - 1) % 4 {
		case addEnds:
			l.appendA(v)
		case removeBegins:
			l.appendR(v)
		}
	}
	for v := l.firstA; v >= 0; v = p.nodes[v].nextA {
		if p.values[v].rs > p.n {
			l.appendR(v)
		}
		if p.looks != nil {
			p.looks.count(v, true)
		}
	}
	return l.part, l.firstA >= 0
}

// taken lists the values that pending removes took, by rs and ae. Several may have the same rs, while it is a deadline.
func (p *elimination) taken() (vs []int32) {
	for v := range p.nodes {
		if m := &p.values[v]; p.nodes[v].alive && m.rs <= p.n && m.re > p.n {
			vs = append(vs, int32(v))
		}
	}
	slices.SortFunc(vs, func(v, w int32) int {
		x, y := &p.values[v], &p.values[w]
		return cmp.Or(cmp.Compare(x.rs, y.rs), cmp.Compare(x.ae, y.ae))
	})
	return vs
}

// place enters the events of a value.
func (p *elimination) place(v int32) {
	m := &p.values[v]
	p.nodes[v].alive = m.as != 0 && m.ae < m.rs
	if !p.nodes[v].alive {
		return
	}
	for which, at := range [4]int32{m.as, m.ae, m.rs, m.re} {
		if at <= p.n && (which != removeBegins || m.re <= p.n) {
			p.event[at] = v*4 + int32(which) + 1
		}
	}
}

// lists are the two lists while they are made.
type lists struct {
	nodes []node
	part
}

func (l *lists) appendA(v int32) {
	l.nodes[v].prevA, l.nodes[v].nextA = l.lastA, -1
	if l.lastA >= 0 {
		l.nodes[l.lastA].nextA = v
	} else {
		l.firstA = v
	}
	l.lastA = v
}

func (l *lists) appendR(v int32) {
	l.nodes[v].prevR, l.nodes[v].nextR = l.lastR, -1
	if l.lastR >= 0 {
		l.nodes[l.lastR].nextR = v
	} else {
		l.firstR = v
	}
	l.lastR = v
}

// relink makes the lists of a part anew, of the values that still have a core. It is false if there are none.
func (p *elimination) relink(c *part, vs []int32) bool {
	l := lists{p.nodes, part{firstA: -1, lastA: -1, firstR: -1, lastR: -1, anew: true}}
	var removed, moved []int32 // by rs; what was removed stays in order
	for v := c.firstR; ; v = p.nodes[v].nextR {
		if p.values[v].re <= p.n {
			removed = append(removed, v)
		}
		if v == c.lastR {
			break
		}
	}
	for _, v := range vs {
		m := &p.values[v]
		if p.looks != nil && m.re > p.n {
			p.looks.moved(v)
		}
		if p.nodes[v].alive = m.ae < m.rs; !p.nodes[v].alive {
			continue
		}
		if l.appendA(v); m.re > p.n {
			moved = append(moved, v)
		}
	}
	slices.SortStableFunc(moved, func(v, w int32) int { return cmp.Compare(p.values[v].rs, p.values[w].rs) })
	for _, v := range removed {
		for ; len(moved) > 0 && p.values[moved[0]].rs < p.values[v].rs; moved = moved[1:] {
			l.appendR(moved[0])
		}
		l.appendR(v)
	}
	for _, v := range moved {
		l.appendR(v)
	}
	*c = l.part
	return c.firstA >= 0
}

// mark computes early and late, and puts the values that are both into ready.
func (p *elimination) mark(c *part) {
	p.ready = p.ready[:0]
	e, s := p.values[c.firstA].ae, p.values[c.lastR].rs
	if c.anew {
		for v := c.firstA; ; v = p.nodes[v].nextA {
			x := &p.nodes[v]
			x.early, x.late = p.values[v].as < e, p.values[v].re > s
			p.check(v)
			if v == c.lastA {
				break
			}
		}
		c.e, c.s, c.anew = e, s, false
		return
	}
	for _, v := range c.waiting {
		if e <= p.values[v].ae && p.values[v].ae < s {
			p.ready = append(p.ready, v)
		}
	}
	c.waiting = nil
	p.moveLeft(c, e)
	p.moveRight(c, s)
}

func (p *elimination) check(v int32) {
	if x := &p.nodes[v]; x.early && x.late {
		p.ready = append(p.ready, v)
	}
}

// moveLeft moves the left end of the hull to e.
func (p *elimination) moveLeft(c *part, e int32) {
	for at := c.e + 1; at < e; at++ {
		ev := p.event[at] - 1
		if ev < 0 || ev%4 != addBegins {
			continue
		}
		if x := &p.nodes[ev/4]; x.alive && !x.early && e <= p.values[ev/4].ae && p.values[ev/4].ae < c.s {
			x.early = true
			p.check(ev / 4)
		}
	}
	c.e = e
}

// moveRight moves the right end of the hull to s.
func (p *elimination) moveRight(c *part, s int32) {
	for at := min(c.s-1, p.n); at > s; at-- {
		ev := p.event[at] - 1
		if ev < 0 || ev%4 != removeEnds {
			continue
		}
		if x := &p.nodes[ev/4]; x.alive && !x.late && c.e < p.values[ev/4].rs && p.values[ev/4].rs <= s {
			x.late = true
			p.check(ev / 4)
		}
	}
	c.s = s
}

// strip takes values away that are ready until there are none. It reports
// whether any value is left.
func (p *elimination) strip(c *part) bool {
	for len(p.ready) > 0 {
		v := p.ready[len(p.ready)-1]
		p.ready = p.ready[:len(p.ready)-1]
		if p.looks != nil && !p.looks.take(v) {
			c.waiting = append(c.waiting, v)
			continue
		}
		p.ready, c.waiting = append(p.ready, c.waiting...), nil
		if p.record {
			p.bottom = append(p.bottom, v)
		}
		if c.firstA == c.lastA {
			p.nodes[v].alive = false
			p.unlink(v)
			return false
		}
		x := p.nodes[v]
		p.nodes[v].alive = false
		p.unlink(v)
		if c.lastA == v {
			c.lastA = x.prevA
		}
		if c.firstR == v {
			c.firstR = x.nextR
		}
		if c.firstA == v {
			c.firstA = x.nextA
			p.moveLeft(c, p.values[c.firstA].ae)
		}
		if c.lastR == v {
			c.lastR = x.prevR
			p.moveRight(c, p.values[c.lastR].rs)
		}
	}
	return true
}

func (p *elimination) unlink(v int32) {
	x := &p.nodes[v]
	if x.prevA >= 0 {
		p.nodes[x.prevA].nextA = x.nextA
	}
	if x.nextA >= 0 {
		p.nodes[x.nextA].prevA = x.prevA
	}
	if x.prevR >= 0 {
		p.nodes[x.prevR].nextR = x.nextR
	}
	if x.nextR >= 0 {
		p.nodes[x.nextR].prevR = x.prevR
	}
}

// split cuts a part in two where no core is, looking from both ends by turns.
// It reports whether there is such a place.
func (p *elimination) split(c part) bool {
	x, far := c.firstA, c.firstA // far has the largest rs of those up to x
	y, near := c.lastR, c.lastR  // near has the smallest ae of those from y
	for x != c.lastA {
		next := p.nodes[x].nextA
		if p.values[next].ae > p.values[far].rs {
			p.cut(c, x, next, far, p.nodes[far].nextR, true)
			return true
		}
		if p.values[next].rs >= p.values[far].rs { // the last of those that end at the same position
			far = next
		}
		x = next
		if prev := p.nodes[y].prevR; y != c.firstR {
			if p.values[prev].rs < p.values[near].ae {
				p.cut(c, p.nodes[near].prevA, near, prev, y, false)
				return true
			}
			if p.values[prev].ae < p.values[near].ae {
				near = prev
			}
			y = prev
		}
	}
	return false
}

// cut makes two parts: one that ends with lastA and lastR, and one that begins
// with firstA and firstR. The one that was walked over is computed anew.
func (p *elimination) cut(c part, lastA, firstA, lastR, firstR int32, left bool) {
	a, b := c, c
	a.lastA, a.lastR = lastA, lastR
	b.firstA, b.firstR = firstA, firstR
	if a.anew, b.anew = left, !left; left {
		a.waiting = nil
	} else {
		b.waiting = nil
	}
	p.parts = append(p.parts, b, a)
}

// List is the values of a part, by ae.
func (p *elimination) List(c part) (vs []int32) {
	for v := c.firstA; ; v = p.nodes[v].nextA {
		vs = append(vs, v)
		if v == c.lastA {
			return vs
		}
	}
}
