package monitor

import "slices"

// lock decides locks and one-place buffers: a register whose values are taken
// out again before the next one comes in. O(n) without pending removes.
//
// A value was surely in from a, the first return of its add and of what saw it,
// to r, the last call of its remove and of what saw it. If a < r that is a
// forward zone. Otherwise it may have been in for a moment only, between the
// last begin and the first end of all these: a backward zone. An operation that
// found nothing is a backward zone of its own. The zones must fit together.
//
// At most one value may stay in. The others that nobody removed were taken by
// pending removes; which by which is searched.
type lock struct {
	holders []holder
	zones   zoning
	tokens  []int32
	left    []leftover
	mayStay int // how many of these
	tries   int
}

// holder is a value of a lock: its add and remove, 0 where there is none, and
// the first return and last call of what saw it, and the
// return of that.
type holder struct{ as, ae, rs, re, first, last, shows int32 }

func (l *lock) decide(c *columns, n int32) (answer, witness) {
	l.holders, l.tokens, l.left, l.tries = room(l.holders, int(c.values)), l.tokens[:0], l.left[:0], 0
	l.zones.reset(n, c.values)
	var first blame
	l.load(c, n, &first)
	for v := range l.holders {
		l.enter(int32(v), n, &first)
	}
	if first.bad {
		return violating, first.witness
	}
	if a, b, ok := l.zones.fit(); !ok {
		return violating, l.zones.witness(a, b, l.nobody(c, a, b))
	}
	if len(l.left) == 0 {
		return linearizable, witness{}
	}
	return l.search(c, n)
}

// load matches the operations by value.
func (l *lock) load(c *columns, n int32, b *blame) {
	for i := range c.within(n) {
		role, v, ret := c.in(i, n)
		call := c.call[i]
		switch role {
		case add, maybeAdd:
			h := l.holder(v)
			h.as, h.ae = call, ret
		case remove:
			h := l.holder(v)
			if h.rs != 0 {
				b.on(twice, v, max(h.re, ret))
			}
			h.rs, h.re = call, ret
		case present:
			h := l.holder(v)
			h.first, h.last, h.shows = firstOf(h.first, ret), call, ret
		case empty:
			l.zones.add(zone{ret, call, -1, ret})
		case maybeRemove:
			l.tokens = append(l.tokens, call)
		}
	}
}

func (l *lock) holder(v int32) *holder {
	for int(v) >= len(l.holders) {
		l.holders = append(l.holders, holder{})
	}
	return &l.holders[v]
}

// enter makes the zone of a value, or puts it with those that nobody removed.
func (l *lock) enter(v, n int32, b *blame) {
	h := &l.holders[v]
	a := firstOf(h.ae, h.first)
	switch first := firstOf(a, h.re); {
	case h.first == 0 && h.rs == 0 && (h.as == 0 || h.ae > n): // it need not have been in
	case h.as == 0:
		b.on(neverAdded, v, first)
	case first < h.as:
		b.on(beforeAdd, v, first)
	case h.rs == 0:
		l.left = append(l.left, leftover{value: v, as: h.as, a: a, last: h.last})
	case h.re < h.last:
		b.on(lifetime, v, min(n, h.shows))
	default:
		l.zones.add(h.zone(v, a))
	}
}

func (h *holder) zone(v, a int32) zone {
	shows := h.shows
	if h.rs > h.last {
		shows = h.re
	}
	if r := max(h.rs, h.last); a < r {
		return zone{a, r, v, shows}
	}
	return zone{min(a, h.re), max(h.as, h.rs, h.last), v, shows}
}

// nobody is the operation that a zone without a value stands for, or -1.
func (l *lock) nobody(c *columns, a, b int32) int {
	for _, i := range []int32{a, b} {
		if x := l.zones.zones[i]; x.value < 0 {
			op, _ := slices.BinarySearch(c.call, x.to)
			return op
		}
	}
	return -1
}
