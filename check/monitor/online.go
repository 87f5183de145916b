package monitor

import "slices"

// online decides queues event by event. It notices a violation at the event
// with which the shortest violating prefix ends, pending removes taken into
// account, and keeps only values that were not removed, operations that run,
// and operations that found nothing for which it is open whether they could.
//
// The values that were added and not removed are in a list, in the order of the
// ends of their adds; so are the calls of the pending removes. As in queue, the
// i-th of the one is taken by the i-th of the other. A value gets a deadline when
// a value whose add was called after its add returned is removed: it must have
// been taken by a call before that. The values with deadlines come first in the
// list.
//
// Each event takes time proportional to the number of running removes, and an
// operation that is open as much again for each stretch of its gaps that is not
// in the core of a removed value. A deadline is given once.
type online[V comparable] struct {
	now     int64
	values  map[V]*entry
	first   *entry // of the values that were added and not removed
	last    *entry
	fresh   *entry  // the first of them without a deadline
	tokens  []int64 // calls of pending removes
	open    []*doubt
	covered stretches // by removed values, from the first pending remove on
}

// entry is a value that was not removed, or whose add did not return.
type entry struct {
	as, ae     int64 // ae is 0 while the add is pending
	deadline   int64 // 0 if there is none
	removed    bool
	prev, next *entry
}

// doubt is an operation that found nothing, with the gaps in the core of no
// removed value.
type doubt struct{ free stretches }

func newOnline[V comparable]() *online[V] { return &online[V]{values: map[V]*entry{}} }

// callAdd, and the others, tell what happens next.
func (q *online[V]) callAdd(v V) {
	q.now++
	q.values[v] = &entry{as: q.now}
}

func (q *online[V]) returnAdd(v V) {
	q.now++
	x := q.values[v]
	if x.removed {
		delete(q.values, v)
		return
	}
	x.ae, x.prev = q.now, q.last
	if q.last != nil {
		q.last.next = x
	} else {
		q.first = x
	}
	if q.last = x; q.fresh == nil {
		q.fresh = x
	}
}

// callRemove returns what the return must say the call was.
func (q *online[V]) callRemove() int64 {
	q.now++
	q.tokens = append(q.tokens, q.now)
	return q.now
}

// returnRemove is false if the prefix that ends here is no execution of a queue.
func (q *online[V]) returnRemove(call int64, v V) bool {
	q.finish(call)
	x := q.values[v]
	if x == nil || x.removed {
		return false
	}
	if x.deadline != 0 && call > x.deadline {
		return false
	}
	if x.ae == 0 {
		x.removed = true
	} else {
		q.unlink(x)
		delete(q.values, v)
		q.cover(x.ae, call)
	}
	for ; q.fresh != nil && q.fresh.ae < x.as; q.fresh = q.fresh.next {
		q.fresh.deadline = q.now
	}
	return q.settle()
}

// returnEmpty is the same for a remove that found nothing.
func (q *online[V]) returnEmpty(call int64) bool {
	q.finish(call)
	q.open = append(q.open, &doubt{q.covered.complement(call, q.now)})
	return q.settle()
}

// finish ends a remove.
func (q *online[V]) finish(call int64) {
	q.now++
	i, _ := slices.BinarySearch(q.tokens, call)
	q.tokens = slices.Delete(q.tokens, i, i+1)
}

func (q *online[V]) unlink(x *entry) {
	if q.fresh == x {
		q.fresh = x.next
	}
	if x.prev != nil {
		x.prev.next = x.next
	} else {
		q.first = x.next
	}
	if x.next != nil {
		x.next.prev = x.prev
	} else {
		q.last = x.prev
	}
}

// cover takes the core of a removed value out of what is free.
func (q *online[V]) cover(from, to int64) {
	if from >= to {
		return
	}
	for _, d := range q.open {
		d.free = d.free.minus(from, to)
	}
	q.covered = q.covered.plus(from, to)
}

// settle decides with the pending removes that there are now, and forgets what
// is certain.
func (q *online[V]) settle() bool {
	i := 0
	for x := q.first; x != nil && x.deadline != 0; x, i = x.next, i+1 {
		if i == len(q.tokens) || q.tokens[i] > x.deadline {
			return false
		}
	}
	kept := q.open[:0]
	for _, d := range q.open {
		possible, certain := q.judge(d)
		if !possible {
			return false
		}
		if !certain {
			kept = append(kept, d)
		}
	}
	clear(q.open[len(kept):])
	q.open = kept
	since := q.now
	if len(q.tokens) > 0 {
		since = q.tokens[0]
	}
	q.covered = q.covered.after(since)
	return true
}

// judge tells whether an operation that found nothing has a gap in no core if
// pending removes take what they must, and whether it has one whatever they do.
// The gaps with k values of the list begun are those between the ends of the
// k-th and the next add; they are free if the k-th pending remove was called.
func (q *online[V]) judge(d *doubt) (possible, certain bool) {
	from, x := int64(0), q.first
	for k := 0; ; k++ {
		to := q.now
		if x != nil {
			to = x.ae
		}
		if d.free.meet(from, to) {
			return true, k == 0
		}
		if x == nil || k == len(q.tokens) {
			return false, false
		}
		from, x = max(x.ae, q.tokens[k]), x.next
	}
}

// live counts what is kept.
func (q *online[V]) live() int {
	n := len(q.values) + len(q.tokens) + len(q.covered)
	for _, d := range q.open {
		n += len(d.free)
	}
	return n
}
