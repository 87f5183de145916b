package batch

// match is a value of a container: where its add and its remove begin and end.
// The positions ae..rs-1 are its core: after each of these events, and before
// the next, it is surely in. The core is empty if ae > rs.
//
// A value that was not removed has rs = n+1 and re = n+2, which is after every
// event of a prefix of n events. as is 0 if the value does not occur.
type match struct{ as, ae, rs, re int32 }

// Container is a prefix with its operations matched by value.
type Container struct {
	n       int32
	values  []match
	empties []int32 // operations that found nothing
	pending []int32 // calls of pending removes, in order
	left    int     // values that were not removed
	remain  []int32 // these, by the begins of their cores, see taking
	looked  int     // events, values and cores that were looked at, in search of deadlines
	peeks

	cover []int32 // by position: see covering
	last  []int32

	stop func() bool // nil: never
}

// StopWhen has what searches look at a function now and then: when it says so, decisions
// that would take longer are Unclear.
func (k *Container) StopWhen(stop func() bool) { k.stop = stop }

func (k *Container) stopped() bool { return k.stop != nil && k.stop() }

// load matches the operations of the prefix of n events. It finds what is wrong
// with one value alone: removed and never added, removed before it was added,
// removed twice; of several the one that shows first. O(n).
func (k *Container) load(c *Columns, n int32) (w Witness, bad bool) {
	k.n, k.left, k.looked = n, 0, 0
	k.values, k.empties, k.pending = room(k.values, int(c.Values)), k.empties[:0], k.pending[:0]
	k.peeks.any = false
	var b blame
	for i := range c.Within(n) {
		r, v, ret := c.In(i, n)
		switch r {
		case Add, MaybeAdd:
			m := k.value(v)
			m.as, m.ae = c.Call[i], ret
		case Remove:
			m := k.value(v)
			if m.rs != 0 {
				b.on(Twice, v, max(ret, m.re))
			}
			m.rs, m.re = c.Call[i], ret
		case Present:
			k.value(v)
			k.add(c, i, ret)
		case Empty:
			k.empties = append(k.empties, int32(i))
		case MaybeRemove:
			k.pending = append(k.pending, c.Call[i])
		}
	}
	for v := range k.values {
		k.finishValue(int32(v), &b)
	}
	return b.Witness, b.bad
}

// finishValue completes a value that was not removed. An add that did not return, and
// whose value nobody removed or saw, is left out: without it there are fewer
// constraints.
func (k *Container) finishValue(v int32, b *blame) {
	m := &k.values[v]
	first, last := k.seenFrom(v)
	switch {
	case m.as == 0 && (m.rs != 0 || first != 0):
		b.on(NeverAdded, v, firstOf(m.re, first))
	case m.as == 0:
	case first != 0 && first < m.as:
		b.on(BeforeAdd, v, first)
	case m.re != 0 && m.re < last:
		b.on(Lifetime, v, k.n)
	case m.rs == 0 && m.ae > k.n && first == 0:
		m.as = 0
	case m.rs == 0:
		m.rs, m.re = k.n+1, k.n+2
		k.left++
	case m.re < m.as:
		b.on(BeforeAdd, v, m.re)
	}
}

// blame is the witness, of those about one value, that shows first.
type blame struct {
	Witness
	bad bool
}

func (b *blame) on(r Rule, v, at int32) {
	if !b.bad || at < b.guess {
		b.Witness, b.bad = Witness{Rule: r, Values: []int32{v}, Op: -1, guess: at}, true
	}
}

// core is from where to where a value is surely in: from the first return of
// its add and of what saw it to the last call of its remove and of what saw it.
func (k *Container) core(v int32) (from, to int32) {
	m := &k.values[v]
	if first, last := k.seenFrom(v); first != 0 {
		return min(m.ae, first), max(m.rs, last)
	}
	return m.ae, m.rs
}

func (k *Container) from(v int32) int32 { from, _ := k.core(v); return from }
func (k *Container) to(v int32) int32   { _, to := k.core(v); return to }

// value is the match of a value.
func (k *Container) value(v int32) *match {
	for int(v) >= len(k.values) {
		k.values = append(k.values, match{})
	}
	return &k.values[v]
}

// covering computes, for each position g, the largest end of the cores
// that begin at g or before: the gap after event g lies in a core if and only if that is more
// than g. O(n).
func (k *Container) covering() {
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

// uncovered reports whether each operation that found nothing has a gap in no
// core, given the covering, or undo does away with that; if not, the first to return that has none. O(n).
func (k *Container) uncovered(c *Columns, undo func(failure) bool) (op int32, ok bool) {
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
		if k.last[c.Ret[e]-1] >= c.Call[e] || !ok && c.Ret[e] >= c.Ret[op] || undo != nil && undo(failure{op: e}) {
			continue
		}
		op, ok = e, false
	}
	return op, ok
}

// withoutLeft calls f while the values that are left are dropped.
func (k *Container) withoutLeft(f func()) {
	var dropped, saved []int32
	for v := range k.values {
		if m := &k.values[v]; k.isLeft(m) {
			dropped, saved = append(dropped, int32(v)), append(saved, m.as)
			m.as = 0
		}
	}
	f()
	for i, v := range dropped {
		k.values[v].as = saved[i]
	}
}

// LastGap returns the last gap in no core, where values whose remove returned after
// a position are still in. O(n).
func (k *Container) LastGap(c *Columns, runs int32) (gap int32) {
	k.load(c, c.Events)
	gap = c.Events
	for v := range k.values {
		if m := &k.values[v]; m.as != 0 && m.rs <= k.n && m.re > runs {
			gap = min(gap, k.Side(int32(v))-1)
		}
	}
	k.covering()
	for k.cover[gap] > gap {
		gap--
	}
	return gap
}

// isLeft reports whether nothing took a value so far.
func (k *Container) isLeft(m *match) bool { return m.as != 0 && m.rs > k.n }

// coveredBy lists values whose cores together contain all gaps of operation op,
// given that they do.
func (k *Container) coveredBy(c *Columns, op int32) Witness {
	return Witness{Rule: Covered, Op: int(op), Values: k.coverOf(c.Call[op], c.Ret[op], nil), guess: c.Ret[op]}
}

// coverOf lists values whose cores together contain the gaps s..e-1: from the left, each reaching as far right as
// any can. Only certain values count, if of is not nil. It is nil if they do not. O(n).
func (k *Container) coverOf(s, e int32, of func(v int32) bool) (values []int32) {
	owner := make([]int32, max(e-s, 0)) // by gap: 1 + the value whose core reaches farthest, of those that begin there or before
	reach := func(v int32) int32 { _, to := k.core(v - 1); return to }
	better := func(v, w int32) bool { return w == 0 || v != 0 && reach(v) > reach(w) }
	for v := range int32(len(k.values)) {
		if k.values[v].as == 0 || of != nil && !of(v) {
			continue
		}
		if from, to := k.core(v); from < e && to > s {
			if g := max(from-s, 0); better(v+1, owner[g]) {
				owner[g] = v + 1
			}
		}
	}
	for g, v := range owner {
		if g > 0 && !better(v, owner[g-1]) {
			owner[g] = owner[g-1]
		}
	}
	for g := s; g < e; {
		v := owner[g-s]
		if v == 0 || reach(v) <= g {
			return nil
		}
		values, g = append(values, v-1), reach(v)
	}
	return values
}

// peeks are the operations that saw a value and left it in.
type peeks struct {
	any   bool
	seen  []peek
	other []int32 // by operation: 1 + the one before it that saw the same value
}

// peek is what saw a value.
type peek struct {
	first, last int32 // the first return and the last call; 0 if nothing saw it
	op          int32 // 1 + the last operation
}

// add enters operation i, which returned.
func (k *peeks) add(c *Columns, i int, ret int32) {
	if !k.any {
		k.any = true
		k.seen = zeroed(k.seen, int(c.Values))
		k.other = zeroed(k.other, len(c.Call))
	}
	x := &k.seen[c.Value[i]]
	k.other[i], x.op = x.op, int32(i)+1
	x.first, x.last = firstOf(x.first, ret), c.Call[i]
}

// seenFrom is from the first return to the last call of what saw a value; 0 if
// nothing did.
func (k *peeks) seenFrom(v int32) (first, last int32) {
	if !k.any {
		return 0, 0
	}
	return k.seen[v].first, k.seen[v].last
}

// eachPeek calls f for what saw a value, the last one first.
func (k *peeks) eachPeek(v int32, f func(op int32)) {
	if !k.any {
		return
	}
	for i := k.seen[v].op; i != 0; i = k.other[i-1] {
		f(i - 1)
	}
}

// room is s with room for n elements, emptied.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n)
	}
	return s[:0]
}

// zeroed is a slice of n zeros, in the memory of s if it fits.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}
