package follow

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// queue decides queues and bags event by event. It notices a violation at the event
// with which the shortest violating prefix ends, pending removes taken into
// account, and keeps only values that were not removed, operations that run,
// and operations that found nothing for which it is open whether they could.
//
// The values that were added and not removed are in a list, in the order of the
// ends of their adds; so are the calls of the pending removes. As in queue, the
// i-th of the one is taken by the i-th of the other. A value gets a deadline when
// a value whose add was called after its add returned is removed: it must have
// been taken by a call before that. The values with deadlines come first in the
// list. In a bag there are no deadlines.
//
// Each event takes time proportional to the number of running removes, and an
// operation that is open as much again for each stretch of its gaps that is not
// in the core of a removed value. A deadline is given once.
type queue struct {
	broken
	bag     bool
	now     int64
	values  map[history.Value]*queueValue
	free    []*queueValue // to be used again
	first   *queueValue   // of the values that were added and not removed
	last    *queueValue
	fresh   *queueValue   // the first of them without a deadline
	pending calls         // calls of pending removes
	looks   calls         // calls of what only looks whether the queue is empty, and runs
	open    []intervalSet // of operations that found nothing, perhaps wrongly: their gaps in the core of no removed value
	covered intervalSet   // by removed values, from the first pending remove on
}

// queueValue is a value that was not removed, or whose add did not return.
type queueValue struct {
	value      history.Value
	as, ae     int64 // ae is 0 while the add is pending
	deadline   int64 // 0 if there is none
	removed    bool
	prev, next *queueValue
}

// NewQueue follows a queue.
func NewQueue() Follower { return &queue{values: map[history.Value]*queueValue{}} }

// NewBag follows a bag.
func NewBag() Follower { return &queue{bag: true, values: map[history.Value]*queueValue{}} }

func (q *queue) called(o calling) (int64, string) {
	if o.open == columns.MaybeAdd && q.values[o.asked] != nil {
		return 0, addsAgain
	}
	q.now++
	switch o.open {
	case columns.MaybeAdd:
		x := recycled(&q.free)
		*x = queueValue{value: own(o.asked), as: q.now}
		q.values[x.value] = x
	case columns.MaybeRemove:
		q.pending = append(q.pending, q.now)
	default:
		q.looks = append(q.looks, q.now)
	}
	return q.now, ""
}

func (q *queue) returned(x returning) batch.Answer {
	q.now++
	switch x.open {
	case columns.MaybeRemove:
		q.pending = without(q.pending, x.at)
	case columns.None:
		q.looks = without(q.looks, x.at)
	}
	switch x.did {
	case columns.Add:
		q.returnAdd(x.val)
		return batch.Linearizable
	case columns.Empty:
		return q.returnEmpty(x.at)
	}
	return q.returnRemove(x.at, x.val)
}

func (q *queue) returnAdd(v history.Value) {
	x := q.values[v]
	if x.removed {
		q.drop(x)
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

func (q *queue) returnRemove(call int64, v history.Value) batch.Answer {
	x := q.values[v]
	if x == nil {
		return q.no(batch.NeverAdded, v)
	}
	if x.removed {
		return q.no(batch.Twice, v)
	}
	if x.deadline != 0 && call > x.deadline {
		return q.no(batch.OutOfOrder, v)
	}
	if x.ae == 0 {
		x.removed = true
	} else {
		q.unlink(x)
		q.cover(x.ae, call)
	}
	as := x.as
	if x.ae != 0 {
		q.drop(x)
	}
	for ; !q.bag && q.fresh != nil && q.fresh.ae < as; q.fresh = q.fresh.next {
		q.fresh.deadline = q.now
	}
	return q.decide()
}

// returnEmpty ends a remove that found nothing.
func (q *queue) returnEmpty(call int64) batch.Answer {
	q.open = append(q.open, q.covered.complement(call, q.now))
	return q.decide()
}

// drop forgets a value. What it took is used again, if that is little.
func (q *queue) drop(x *queueValue) {
	delete(q.values, x.value)
	if *x = (queueValue{}); len(q.free) < 1024 {
		q.free = append(q.free, x)
	}
}

func (q *queue) unlink(x *queueValue) {
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
func (q *queue) cover(from, to int64) {
	if from >= to {
		return
	}
	for i := range q.open {
		q.open[i] = q.open[i].minus(from, to)
	}
	q.covered = q.covered.plus(from, to)
}

// decide decides with the pending removes that there are now, and forgets what
// is certain.
func (q *queue) decide() batch.Answer {
	i := 0
	for x := q.first; x != nil && x.deadline != 0; x, i = x.next, i+1 {
		if i == len(q.pending) || q.pending[i] > x.deadline {
			return q.no(batch.OutOfOrder, x.value)
		}
	}
	kept := q.open[:0]
	for _, free := range q.open {
		possible, certain := q.judge(free)
		if !possible {
			return q.no(batch.Covered)
		}
		if !certain {
			kept = append(kept, free)
		}
	}
	clear(q.open[len(kept):])
	q.open = kept
	since := q.now
	if len(q.pending) > 0 {
		since = q.pending[0]
	}
	if len(q.looks) > 0 {
		since = min(since, q.looks[0])
	}
	q.covered = q.covered.after(since)
	return batch.Linearizable
}

// judge reports whether an operation that found nothing has a gap in no core if
// pending removes take what they must, and whether it has one whatever they do.
// The gaps with k values of the list begun are those between the ends of the
// k-th and the next add; they are free if the k-th pending remove was called.
func (q *queue) judge(free intervalSet) (possible, certain bool) {
	from, x := int64(0), q.first
	for k := 0; ; k++ {
		to := q.now
		if x != nil {
			to = x.ae
		}
		if free.meet(from, to) {
			return true, k == 0
		}
		if x == nil || k == len(q.pending) {
			return false, false
		}
		from, x = max(x.ae, q.pending[k]), x.next
	}
}

func (q *queue) live() int {
	n := len(q.values) + len(q.pending) + len(q.looks) + len(q.covered)
	for _, free := range q.open {
		n += len(free)
	}
	return n
}

// intervalSet is a set of gaps: disjoint ranges [from, to), in order, that do not
// touch.
type intervalSet []interval

type interval struct{ from, to int64 }

// ending is the index of the first range that ends after g.
func (s intervalSet) ending(g int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].to > g })
}

// plus adds [from, to). It takes O(log n), and as much as behind it is moved.
func (s intervalSet) plus(from, to int64) intervalSet {
	i := sort.Search(len(s), func(i int) bool { return s[i].to >= from })
	j := i
	for ; j < len(s) && s[j].from <= to; j++ {
		from, to = min(from, s[j].from), max(to, s[j].to)
	}
	return slices.Replace(s, i, j, interval{from, to})
}

// minus takes [from, to) out.
func (s intervalSet) minus(from, to int64) intervalSet {
	i := s.ending(from)
	j := i
	var rest [2]interval
	kept := rest[:0]
	for ; j < len(s) && s[j].from < to; j++ {
		if s[j].from < from {
			kept = append(kept, interval{s[j].from, from})
		}
		if s[j].to > to {
			kept = append(kept, interval{to, s[j].to})
		}
	}
	return slices.Replace(s, i, j, kept...)
}

// complement is [from, to) without the set.
func (s intervalSet) complement(from, to int64) (free intervalSet) {
	for i := s.ending(from); i < len(s) && s[i].from < to; i++ {
		if s[i].from > from {
			free = append(free, interval{from, s[i].from})
		}
		from = s[i].to
	}
	if from < to {
		free = append(free, interval{from, to})
	}
	return free
}

// meet reports whether [from, to) has a gap of the set.
func (s intervalSet) meet(from, to int64) bool {
	i := s.ending(from)
	return from < to && i < len(s) && s[i].from < to
}

// after forgets ranges that end before g.
func (s intervalSet) after(g int64) intervalSet {
	return slices.Delete(s, 0, s.ending(g))
}
