package monitor

// match is a value of a container: where its add and its remove begin and end.
// The positions ae..rs-1 are its core: after each of these events, and before
// the next, it is surely in. The core is empty if ae > rs.
//
// A value that was not removed has rs = n+1 and re = n+2, which is after every
// event of a prefix of n events. as is 0 if the value does not occur.
type match struct{ as, ae, rs, re int32 }

// container is a prefix with its operations matched by value.
type container struct {
	n       int32
	values  []match
	empties []int32 // operations that found nothing
	tokens  []int32 // calls of pending removes, in order
	left    int     // values that were not removed
	looks

	cover []int32 // by position: see covering
	last  []int32
}

// load matches the operations of the prefix of n events. It finds what is wrong
// with one value alone: removed and never added, removed before it was added,
// removed twice; of several the one that shows first. O(n).
func (k *container) load(c *columns, n int32) (w witness, bad bool) {
	k.n, k.left = n, 0
	k.values, k.empties, k.tokens = room(k.values, int(c.values)), k.empties[:0], k.tokens[:0]
	k.looks.any = false
	var b blame
	for i := range c.within(n) {
		r, v, ret := c.in(i, n)
		switch r {
		case add, maybeAdd:
			m := k.value(v)
			m.as, m.ae = c.call[i], ret
		case remove:
			m := k.value(v)
			if m.rs != 0 {
				b.on(twice, v, max(ret, m.re))
			}
			m.rs, m.re = c.call[i], ret
		case present:
			k.value(v)
			k.look(c, i, ret)
		case empty:
			k.empties = append(k.empties, int32(i))
		case maybeRemove:
			k.tokens = append(k.tokens, c.call[i])
		}
	}
	for v := range k.values {
		k.settle(int32(v), &b)
	}
	return b.witness, b.bad
}

// settle completes a value that was not removed. An add that did not return, and
// whose value nobody removed or saw, is left out: without it there are fewer
// constraints.
func (k *container) settle(v int32, b *blame) {
	m := &k.values[v]
	first, last := k.seenFrom(v)
	switch {
	case m.as == 0 && (m.rs != 0 || first != 0):
		b.on(neverAdded, v, firstOf(m.re, first))
	case m.as == 0:
	case first != 0 && first < m.as:
		b.on(beforeAdd, v, first)
	case m.re != 0 && m.re < last:
		b.on(lifetime, v, k.n)
	case m.rs == 0 && m.ae > k.n && first == 0:
		m.as = 0
	case m.rs == 0:
		m.rs, m.re = k.n+1, k.n+2
		k.left++
	case m.re < m.as:
		b.on(beforeAdd, v, m.re)
	}
}

// blame is the witness, of those about one value, that shows first.
type blame struct {
	witness
	bad bool
}

func (b *blame) on(r rule, v, at int32) {
	if !b.bad || at < b.guess {
		b.witness, b.bad = witness{rule: r, values: []int32{v}, op: -1, guess: at}, true
	}
}

// core is from where to where a value is surely in: from the first return of
// its add and of what saw it to the last call of its remove and of what saw it.
func (k *container) core(v int32) (from, to int32) {
	m := &k.values[v]
	if first, last := k.seenFrom(v); first != 0 {
		return min(m.ae, first), max(m.rs, last)
	}
	return m.ae, m.rs
}

// value is the match of a value.
func (k *container) value(v int32) *match {
	for int(v) >= len(k.values) {
		k.values = append(k.values, match{})
	}
	return &k.values[v]
}

// covering computes, for each position g, the largest end of the cores
// that begin at g or before: the gap after event g lies in a core if and only if that is more
// than g. O(n).
func (k *container) covering() {
	k.cover = zeroed(k.cover, int(k.n)+2)
	for i := range k.values {
		if m := &k.values[i]; m.as != 0 {
			from, to := k.core(int32(i))
			k.cover[from] = to // pending adds share the last cell, which nobody reads
		}
	}
	high := int32(0)
	for g, rs := range k.cover {
		high = max(high, rs)
		k.cover[g] = high
	}
}

// uncovered tells whether each operation that found nothing has a gap in no
// core, given the covering; if not, the first to return that has none. O(n).
func (k *container) uncovered(c *columns) (op int32, ok bool) {
	if len(k.empties) == 0 {
		return 0, true
	}
	k.last = zeroed(k.last, int(k.n)+2)
	free := int32(0) // the last gap in no core
	for g := range k.last {
		if k.cover[g] <= int32(g) {
			free = int32(g)
		}
		k.last[g] = free
	}
	op, ok = -1, true
	for _, e := range k.empties {
		if k.last[c.ret[e]-1] < c.call[e] && (ok || c.ret[e] < c.ret[op]) {
			op, ok = e, false
		}
	}
	return op, ok
}

// lastGap returns the last gap in no core, where values whose remove returned after
// a position are still in. O(n).
func (k *container) lastGap(c *columns, runs int32) (gap int32) {
	k.load(c, c.events)
	gap = c.events
	for v := range k.values {
		if m := &k.values[v]; m.as != 0 && m.rs <= k.n && m.re > runs {
			gap = min(gap, k.side(int32(v))-1)
		}
	}
	k.covering()
	for k.cover[gap] > gap {
		gap--
	}
	return gap
}

// isLeft tells whether nothing took a value so far.
func (k *container) isLeft(m *match) bool { return m.as != 0 && m.rs > k.n }

// firstLeft is the value with the first ae of those that are left and in the
// way; -1 if there is none.
func (k *container) firstLeft(inTheWay func(v int32, m *match) bool) int32 {
	first := int32(-1)
	for v := range k.values {
		m := &k.values[v]
		if k.isLeft(m) && (first < 0 || m.ae < k.values[first].ae) && inTheWay(int32(v), m) {
			first = int32(v)
		}
	}
	return first
}

// open tells whether one of the gaps s..e-1 is in no core, given the covering.
func (k *container) open(s, e int32) bool {
	for s < e && k.cover[s] > s {
		s = k.cover[s]
	}
	return s < e
}

// chain lists values whose cores together contain all gaps of operation op,
// given that they do.
func (k *container) chain(c *columns, op int32) witness {
	return witness{rule: covered, op: int(op), values: k.chained(c.call[op], c.ret[op]), guess: c.ret[op]}
}

// chained lists values whose cores together contain the gaps s..e-1, given that
// they do: from the left, each reaching as far right as any can. O(n).
func (k *container) chained(s, e int32) (values []int32) {
	owner := make([]int32, k.n+2) // the value whose core reaches farthest, of those that begin at g or before
	for v := range k.values {
		if k.values[v].as != 0 {
			from, _ := k.core(int32(v))
			owner[from] = int32(v) + 1
		}
	}
	reach := func(v int32) int32 { _, to := k.core(v - 1); return to }
	best := int32(0)
	for g, v := range owner {
		if v != 0 && (best == 0 || reach(v) > reach(best)) {
			best = v
		}
		owner[g] = best
	}
	for s < e {
		values = append(values, owner[s]-1)
		s = reach(owner[s])
	}
	return values
}

// looks are the operations that saw a value and left it in.
type looks struct {
	any   bool
	seen  []look
	other []int32 // by operation: 1 + the one before it that saw the same value
}

// look is what saw a value.
type look struct {
	first, last int32 // the first return and the last call; 0 if nothing saw it
	op          int32 // 1 + the last operation
}

// look enters operation i, which returned.
func (k *looks) look(c *columns, i int, ret int32) {
	if !k.any {
		k.any = true
		k.seen = zeroed(k.seen, int(c.values))
		k.other = zeroed(k.other, len(c.call))
	}
	x := &k.seen[c.value[i]]
	k.other[i], x.op = x.op, int32(i)+1
	x.first, x.last = firstOf(x.first, ret), c.call[i]
}

// seenFrom is from the first return to the last call of what saw a value; 0 if
// nothing did.
func (k *looks) seenFrom(v int32) (first, last int32) {
	if !k.any {
		return 0, 0
	}
	return k.seen[v].first, k.seen[v].last
}

// lookers calls f for what saw a value, the last one first.
func (k *looks) lookers(v int32, f func(op int32)) {
	if !k.any {
		return
	}
	for i := k.seen[v].op; i != 0; i = k.other[i-1] {
		f(i - 1)
	}
}
