package batch

import (
	"slices"
	"sort"
)

// Lock decides locks and one-place buffers, in O(n) without pending removes. Notions: docs/proofs/near-linear.md.
//
// A lock, or a buffer of one place, is a register whose values end before the next one comes. For a value let a be
// the first return of its add and of what saw it, and r the last call of its remove and of what saw it. If a < r
// it has the forward zone from a to r. Otherwise it has a backward zone, from the first return of all its
// operations back to the last call: all of them share the gaps between. An operation that found nothing is a
// backward zone of its own.
//
// Claim. An execution is linearizable iff its values are valid, forward zones are disjoint, and no backward zone
// lies inside a forward zone.
//
// Only if. In a linearization each value v is in for an interval Iᵥ, from its add to its remove; the intervals are
// disjoint, and an operation that finds nothing is in none. If v has a forward zone, Iᵥ contains the time from
// event a to event r: at a the value has been added, and at r something that needs it has yet to happen. So two
// forward zones are disjoint. Let w have a backward zone with first return x and last call y < x. I_w ends after
// y, since the operation called there is not after the remove, and begins before x. Were the zone inside v's, a <
// y < x < r, then I_w would lie before Iᵥ and end before event a < y, or behind it and begin after event r > x;
// neither is so. For an operation that found nothing it is the same, with a moment for the interval.
//
// If. Let the value of a forward zone be added in the gap a−1, as the last thing in it, and removed in the gap r,
// as the first thing in it. Validity says that these are gaps of the add and of the remove. What saw it is called
// at r or before and returns at a or later: it takes effect in the gap of its call, or right after the add if it
// is called before that. The value of a backward zone comes, is seen and goes in one gap, from y to x−1, that is
// not inside a forward zone. There is one: the zone is not inside one forward zone, and if its gaps reach into
// two, the gap in which the first of these ends is between. In one gap, what ends a forward zone comes first, then
// the backward zones one by one, then what begins one. So at most one value is in at a time.
//
// Values that nobody removed. At most one stays. The others were taken by pending removes, each at its call or
// later; a later call makes a zone larger, so for each value the pending removes that are in time for it are the
// first few. All ways to give pending removes to values are tried (Giving), up to a bound, after which there is no
// verdict. Two pending removes between whose calls nothing returned are as good as each other.
type Lock struct {
	values  []lockValue
	zones   zoning
	pending []int32
	left    []leftover
	ends    []int32 // by position: of the zones that end there, the one that begins first, plus 1
}

// lockValue is a value of a lock: its add and remove, 0 where there is none, and
// the first return and last call of what saw it, and the
// return of that.
type lockValue struct{ as, ae, rs, re, first, last, shows int32 }

// Decide implements Algorithm.
func (l *Lock) Decide(c *Columns, n int32) (Answer, Witness) {
	l.values, l.pending, l.left = room(l.values, int(c.Values)), l.pending[:0], l.left[:0]
	l.zones.reset(n, c.Values)
	var first blame
	l.load(c, n, &first)
	for v := range l.values {
		l.enter(int32(v), n, &first)
	}
	if first.bad {
		return Violating, first.Witness
	}
	if a, b, ok := l.zones.fit(); !ok {
		return Violating, l.zones.witness(a, b, l.nobody(c, a, b))
	}
	if len(l.left) == 0 {
		return Linearizable, Witness{}
	}
	return l.search(c, n)
}

// load matches the operations by value.
func (l *Lock) load(c *Columns, n int32, b *blame) {
	for i := range c.Within(n) {
		role, v, ret := c.In(i, n)
		call := c.Call[i]
		switch role {
		case Add, MaybeAdd:
			h := l.holder(v)
			h.as, h.ae = call, ret
		case Remove:
			h := l.holder(v)
			if h.rs != 0 {
				b.on(Twice, v, max(h.re, ret))
			}
			h.rs, h.re = call, ret
		case Present:
			h := l.holder(v)
			h.first, h.last, h.shows = firstOf(h.first, ret), call, ret
		case Empty:
			l.zones.add(zone{ret, call, -1, ret})
		case MaybeRemove:
			l.pending = append(l.pending, call)
		}
	}
}

func (l *Lock) holder(v int32) *lockValue {
	for int(v) >= len(l.values) {
		l.values = append(l.values, lockValue{})
	}
	return &l.values[v]
}

// enter makes the zone of a value, or puts it with those that nobody removed.
func (l *Lock) enter(v, n int32, b *blame) {
	h := &l.values[v]
	a := firstOf(h.ae, h.first)
	switch first := firstOf(a, h.re); {
	case h.first == 0 && h.rs == 0 && (h.as == 0 || h.ae > n): // it need not have been in
	case h.as == 0:
		b.on(NeverAdded, v, first)
	case first < h.as:
		b.on(BeforeAdd, v, first)
	case h.rs == 0:
		l.left = append(l.left, leftover{value: v, as: h.as, a: a, last: h.last})
	case h.re < h.last:
		b.on(Lifetime, v, min(n, h.shows))
	default:
		l.zones.add(h.zone(v, a))
	}
}

func (h *lockValue) zone(v, a int32) zone {
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
func (l *Lock) nobody(c *Columns, a, b int32) int {
	for _, i := range []int32{a, b} {
		if x := l.zones.zones[i]; x.value < 0 {
			op, _ := slices.BinarySearch(c.Call, x.to)
			return op
		}
	}
	return -1
}

// leftover is a value of a lock that nobody removed: the call of its add, the
// first return and the last call of what saw it.
type leftover struct {
	value    int32
	as, a    int32
	last     int32
	limit    int32 // where a forward zone that begins at a must end, at the latest
	conflict int32 // the zone that says so, or -1
	rs       int32 // the pending remove that took it, or a position after all
}

// search gives pending removes to the values that nobody removed, all but one
// at most. A value is given a pending remove only if its zone fits to the zones of
// the values that were removed. Two pending removes are as good as each other if
// nothing returned between their calls.
func (l *Lock) search(c *Columns, n int32) (Answer, Witness) {
	slices.SortFunc(l.left, func(x, y leftover) int { return int(x.a - y.a) })
	chosen := make([]zone, len(l.left))
	g := Giving{
		Used:  make([]bool, len(l.pending)),
		alike: func(t int) bool { return c.Alike(l.pending[t-1], l.pending[t]) },
		Take: func(i, t int) bool {
			x := &l.left[i]
			if x.rs = n + 1; t < len(l.pending) {
				x.rs = l.pending[t]
			}
			chosen[i] = x.zone(x.rs)
			return l.fits(x, chosen[i]) && !slices.ContainsFunc(chosen[:i], func(y zone) bool { return !chosen[i].with(y) })
		},
	}
	l.bounds(n)
	for i := range l.left {
		x := &l.left[i]
		if l.fits(x, x.zone(n+1)) {
			g.MayStay = 1
		}
		g.Few = append(g.Few, sort.Search(len(l.pending), func(t int) bool { return !l.fits(x, x.zone(l.pending[t])) }))
	}
	if a := g.Give(0); a != Violating {
		return a, Witness{Op: -1}
	}
	w := Witness{Rule: Zones, Op: -1, guess: n}
	for _, x := range l.left {
		w.Values = append(w.Values, x.value)
		if x.conflict < 0 {
			continue
		}
		if v := l.zones.zones[x.conflict].value; v >= 0 {
			w.Values = append(w.Values, v)
		} else {
			w.Op = l.nobody(c, x.conflict, x.conflict)
		}
	}
	return Violating, w
}

// bounds computes how long a forward zone of each leftover may be: until the first
// begin of a zone that ends at its a or later. O(n).
func (l *Lock) bounds(n int32) {
	zones := l.zones.zones
	l.ends = zeroed(l.ends, int(n)+3)
	earlier := func(i, j int32) int32 { // of two zones, plus 1, the one that begins first
		if i == 0 || j > 0 && zones[j-1].from < zones[i-1].from {
			return j
		}
		return i
	}
	for i, z := range zones {
		l.ends[z.to] = earlier(l.ends[z.to], int32(i)+1)
	}
	first, at := int32(0), n+2
	for i := len(l.left) - 1; i >= 0; i-- {
		x := &l.left[i]
		for ; at >= x.a; at-- {
			first = earlier(first, l.ends[at])
		}
		x.limit, x.conflict = n+2, -1
		if first > 0 && zones[first-1].from < x.limit {
			x.limit, x.conflict = zones[first-1].from, first-1
		}
	}
}

// zone is the zone of a leftover that is removed by a call.
func (x *leftover) zone(call int32) zone {
	if r := max(call, x.last); x.a < r {
		return zone{x.a, r, x.value, 0}
	}
	return zone{x.a, max(x.as, x.last, call), x.value, 0}
}

// fits reports whether the zone of a leftover fits to those of the values that
// were removed.
func (l *Lock) fits(x *leftover, z zone) bool {
	if z.from < z.to {
		return z.to < x.limit
	}
	f := l.zones.latest[z.to]
	return f == 0 || z.from > l.zones.zones[f-1].to
}
