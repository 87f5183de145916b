package batch

import (
	"math/bits"
)

// Priority decides priority queues: a remove takes a value of the highest priority there is, and a peek sees one. It takes
// O(n) if no pending remove must have taken something and the priorities are integers that lie close together; see
// descending and taking for the others. Notions: docs/proofs/near-linear.md; operations that find nothing: docs/proofs/finding-nothing.md.
//
// Claim. An execution is linearizable iff its values are valid, each operation that finds nothing has a gap in no
// core, and each remove has one, not before the value's add is called, in no core of a value of higher priority.
// What saw a value needs such a gap, too, and there is one for the remove that is not before the first ones of
// these.
//
// Only if. When a value is removed, or is found to be first, no value of higher priority is in. A value is in
// throughout its core.
//
// If, without peeks. By induction from the highest priority down. Let the claim hold of the values above a
// priority, and let v have it. v does not disturb them: a remove that takes one of them may do so whether v is in
// or not. So they have a linearization L by themselves. For them, v's remove is an operation that finds nothing:
// it has a gap in no core of theirs, so by docs/proofs/finding-nothing.md L can be cut there and the remove put between, where
// none of them is in. v's add may come anywhere before it, from its call on. Values of the same priority do not
// disturb each other: none is higher.
//
// With peeks. What saw v is one more operation that, for the values above, finds nothing, and must not come after
// the remove. That there are gaps for these follows as above. What is not proved is the choice that moments.of
// makes when it writes a linearization down: gaps for the add, the peeks and the remove of v such that every gap
// between its add and its remove, but the two ends, is in v's core or in one of a higher value, so that the values
// below are not disturbed either. For it stand TestAgainstModels, which replays the linearization of each random
// execution (types "priority with peeks" and "equal priorities"), and evidence/verify, which accepts no
// linearization that is not one: a mistake there would lose evidence, not make a verdict wrong.
//
// Shorter prefixes. Let H be a prefix whose values are valid, and let first be the earliest return of an operation
// that has no gap while pending removes take nothing. Then each prefix H' of fewer events is linearizable, and of
// a violation only first is left to look at (Witness.least). For let each remove that is pending in H' and
// returned in H take what it took in H, if the gap that it has there comes before the end of H'; otherwise its
// value stays. By induction from the highest priority down, gaps up to the end of H' that are in no core of a
// higher value of H are in none of H': cores are no larger, but for a value that stays where its remove had a
// later gap, or none. Then the gaps from where its core ends in H to the end of H' are all in cores of higher
// values in H, or the remove, or what saw the value, would have taken one. So what returned in H' has the gap that
// it has in H.
//
// Time: O(n): descending sorts by 11 bits at a time, and a gap is found in a few words of gapSet.
type Priority struct {
	Container
	free      gapSet
	unblocked gapSet   // as free, if pending removes took all that is left
	ranked    []int32  // values by priority
	moment    *moments // if not nil, is told when operations can take effect
}

// Decide implements Algorithm.
func (q *Priority) Decide(c *Columns, n int32) (Answer, Witness) {
	if len(c.Ranked) != int(c.Values) { // those of a stream grow
		c.Ranked = descending(c.Priority[:c.Values])
	}
	q.ranked = c.Ranked
	if w, bad := q.load(c, n); bad {
		return Violating, w
	}
	t := taking{forcing: q, Container: &q.Container}
	return t.decide(c)
}

// check finds the first operation, or value, for which there is no gap.
func (q *Priority) check(c *Columns, undo func(failure) bool) (f failure, a Answer) {
	q.free.fill(int(q.n) + 1)
	if undo != nil {
		q.unblocked.fill(int(q.n) + 1)
	}
	f, first := failure{op: -1}, Never
	ranked := q.ranked
	for len(ranked) > 0 {
		n := 1
		for n < len(ranked) && c.Priority[ranked[n]] == c.Priority[ranked[0]] {
			n++
		}
		for _, v := range ranked[:n] {
			if at := q.place(c, v); at < first && (undo == nil || !undo(failure{-1, []int32{v}, at})) {
				first, f = at, failure{-1, []int32{v}, at}
			}
		}
		for _, v := range ranked[:n] {
			if int(v) >= len(q.values) || q.values[v].as == 0 {
				continue
			}
			from, to := q.core(v)
			if q.free.remove(from, to); undo == nil {
				continue
			}
			if q.values[v].re > q.n {
				_, to = q.seenFrom(v)
			}
			q.unblocked.remove(from, to)
		}
		ranked = ranked[n:]
	}
	for _, e := range q.empties {
		if q.free.next(c.Call[e]) >= c.Ret[e] && c.Ret[e] < first && (undo == nil || !undo(failure{op: e})) {
			first, f = c.Ret[e], failure{op: e}
		}
	}
	if first < Never {
		return f, Violating
	}
	return f, Linearizable
}

// place looks for gaps for the peeks and the remove of a value. It returns the
// return of one that has none, otherwise never.
func (q *Priority) place(c *Columns, v int32) (failed int32) {
	if int(v) >= len(q.values) || q.values[v].as == 0 {
		return Never
	}
	m := &q.values[v]
	from, failed := max(m.as, m.rs), Never // where the remove may be
	q.eachPeek(v, func(op int32) {
		g := q.free.next(max(m.as, c.Call[op]))
		if g >= c.Ret[op] {
			failed = min(failed, c.Ret[op])
		} else if g > from {
			from = g
		}
	})
	t := Never
	if m.rs <= q.n {
		if t = q.free.next(from); t > q.n || t >= m.re {
			failed = min(failed, m.re)
		}
	}
	if q.moment != nil {
		q.moment.of(q, c, v, t)
	}
	return failed
}

// ways lists those to have a gap for the remove of the value, or for what saw it, while check is at it.
func (q *Priority) ways(c *Columns, f failure) (ways []way, open bool) {
	low := f.values[0]
	m := &q.values[low]
	open = true
	gap := func(s, e int32) {
		var fixed []stretch
		for g := s; g < e; g++ {
			if next := min(e, q.unblocked.next(g)); next > g {
				fixed = append(fixed, stretch{g, next})
				g = next
			}
		}
		var left []int32
		q.looked += len(q.before(e)) / 8 // eight are as fast as one event
		for _, v := range q.before(e) {
			if c.Priority[v] > c.Priority[low] {
				left = append(left, v)
			}
		}
		more, free := q.between(s, e, fixed, left)
		ways, open = append(ways, more...), open && free
	}
	q.eachPeek(low, func(op int32) { gap(max(m.as, c.Call[op]), min(c.Ret[op], m.re)) })
	if m.re <= q.n {
		gap(max(m.as, m.rs), m.re)
	}
	return ways, open
}

// blame is the value, and values of higher priority one of which was in at
// every moment at which it could have been removed or seen. Of all failures it is the one that shows
// first, and no shorter prefix is a violation. O(n).
func (q *Priority) blame(c *Columns, f failure) (w Witness) {
	if f.op >= 0 {
		w = q.coveredBy(c, f.op)
		w.least = w.guess
		return w
	}
	low := f.values[0]
	higher := func(v int32) bool { return c.Priority[low] < c.Priority[v] }
	var values []int32
	q.stuck(c, low, f.at, func(s, e int32) bool {
		values = q.coverOf(s, e, higher)
		return values == nil
	})
	return Witness{Rule: lower, Values: append([]int32{low}, values...), Op: -1, guess: f.at, least: f.at}
}

// stuck hands out the gaps of the remove of a value, and of each peek, one of which has all its gaps in
// cores of higher values, given the return of what failed; until f is false. The remove is not before
// what saw the value, so a peek that is still running when it returns may be what failed.
func (q *Priority) stuck(c *Columns, v, failed int32, f func(s, e int32) bool) {
	m := &q.values[v]
	if m.re == failed && !f(max(m.as, m.rs), m.re) {
		return
	}
	more := true
	q.eachPeek(v, func(op int32) {
		if ret := c.Ret[op]; more && (ret == failed || m.re == failed && ret > failed) {
			more = f(max(m.as, c.Call[op]), min(ret, m.re))
		}
	})
}

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
func (x *moments) of(q *Priority, c *Columns, v, remove int32) {
	m := &q.values[v]
	from, _ := q.core(v)
	base := min(from, m.re) - 1
	x.remove[v] = remove
	x.add[v] = min(base, remove)
	q.eachPeek(v, func(op int32) {
		g := q.free.next(max(m.as, c.Call[op], base))
		if g >= c.Ret[op] || g > remove {
			g = q.free.prev(min(c.Ret[op]-1, remove))
		}
		x.peek[op] = g
		x.add[v] = min(x.add[v], g)
	})
}

// Linearize makes a linearization. In a gap, removes come first, from the highest
// to the lowest; then what finds nothing; then peeks of values that stay, and
// the adds of values that stay, from the lowest to the highest, with their
// peeks.
func (q *Priority) Linearize(a *Linearizer) bool {
	x := &moments{make([]int32, a.Values), make([]int32, a.Values), make([]int32, len(a.Call))}
	q.moment = x
	q.check(a.Columns, nil)
	q.moment = nil
	in := func(v int32) bool { return int(v) < len(q.values) && q.values[v].as != 0 }
	for _, v := range q.ranked {
		if in(v) && x.add[v] != x.remove[v] {
			q.putPeeks(a, x, v, func(g int32) bool { return g == x.add[v] })
			a.first(x.add[v], a.called(q.values[v].as))
		}
	}
	for _, v := range q.ranked {
		if in(v) {
			q.putPeeks(a, x, v, func(g int32) bool { return x.add[v] < g && g < x.remove[v] })
		}
	}
	for _, e := range q.empties {
		a.first(q.free.next(a.Call[e]), e)
	}
	for i := len(q.ranked) - 1; i >= 0; i-- {
		v := q.ranked[i]
		if !in(v) || x.remove[v] == Never {
			continue
		}
		a.firstRemove(x.remove[v], q.values[v].rs, q.values[v].as)
		q.putPeeks(a, x, v, func(g int32) bool { return g == x.remove[v] })
		if x.add[v] == x.remove[v] {
			a.first(x.add[v], a.called(q.values[v].as))
		}
	}
	return true
}

// putPeeks puts the peeks of a value that take effect in certain gaps there.
func (q *Priority) putPeeks(a *Linearizer, x *moments, v int32, at func(gap int32) bool) {
	q.eachPeek(v, func(op int32) {
		if at(x.peek[op]) {
			a.first(x.peek[op], op)
		}
	})
}

// digit is how many bits are sorted by at a time.
const digit = 11

// descending sorts values by their keys, the largest first: O(n) for keys that
// lie close together, and six times that for any.
func descending(keys []int64) []int32 {
	order, other := make([]int32, len(keys)), make([]int32, len(keys))
	var low, high int64
	for v, k := range keys {
		order[v] = int32(v)
		if v == 0 || k < low {
			low = k
		}
		if v == 0 || k > high {
			high = k
		}
	}
	width := bits.Len64(uint64(high) - uint64(low)) // no overflow: as unsigned numbers
	for shift := 0; shift < width; shift += digit {
		var place [1 << digit]int32
		part := func(v int32) uint64 { return (uint64(high) - uint64(keys[v])) >> shift & (1<<digit - 1) }
		for _, v := range order {
			place[part(v)]++
		}
		sum := int32(0)
		for d, n := range place {
			place[d] = sum
			sum += n
		}
		for _, v := range order {
			d := part(v)
			other[place[d]] = v
			place[d]++
		}
		order, other = other, order
	}
	return order
}
