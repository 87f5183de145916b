package follow

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/wording"
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
// In a gap of the execution k values of the list were added before. An operation that
// found nothing may have taken effect there if no value that was removed was in, and
// pending removes that were called before could have taken the k: k of them at least.
// The first gap where that is so is kept of it; later events only rule gaps out. It is
// certain if k is 0 there.
//
// Each event takes time proportional to the number of operations that ran beside the
// one that returned, times the logarithm of what is kept. A deadline is given once;
// each operation that found nothing passes the calls and the cores within it once.
type queue struct {
	broken
	bag     bool
	now     int64
	values  wording.Map[queueValue]
	free    []*queueValue // to be used again
	first   *queueValue   // of the values that were added and not removed
	last    *queueValue
	fresh   *queueValue // the first of them without a deadline
	pending calls       // calls of pending removes
	looks   calls       // calls of what only looks whether the queue is empty, and runs
	dated   int         // values with deadlines
	ends    ranks       // of the adds of the values in the list
	open    []nothing   // operations that found nothing, perhaps wrongly, by their gaps
	covered intervalSet // by removed values, from the first pending remove on
}

// queueValue is a value that was not removed, or whose add did not return.
type queueValue struct {
	value      wording.Key
	as, ae     int64 // ae is 0 while the add is pending
	deadline   int64 // 0 if there is none
	removed    bool
	prev, next *queueValue
}

// nothing is an operation that found nothing: the first gap in which it may have taken
// effect, and its end.
type nothing struct{ gap, end int64 }

// NewQueue follows a queue.
func NewQueue() Follower { return &queue{} }

// NewBag follows a bag.
func NewBag() Follower { return &queue{bag: true} }

func (q *queue) called(o calling) (int64, string) {
	v := wording.KeyOf(o.asked)
	if o.open == batch.MaybeAdd && q.values.Get(v) != nil {
		return 0, addsAgain
	}
	q.now++
	switch o.open {
	case batch.MaybeAdd:
		x := recycled(&q.free)
		*x = queueValue{value: v.Own(), as: q.now}
		q.values.Put(x.value, x)
	case batch.MaybeRemove:
		q.pending = append(q.pending, q.now)
	default:
		q.looks = append(q.looks, q.now)
	}
	return q.now, ""
}

func (q *queue) returned(x returning) batch.Answer {
	q.now++
	switch x.open {
	case batch.MaybeRemove:
		q.pending = without(q.pending, x.at)
	case batch.None:
		q.looks = without(q.looks, x.at)
	}
	switch x.did {
	case batch.Add:
		q.returnAdd(x.val)
		return batch.Linearizable
	case batch.Empty:
		return q.returnEmpty(x.at)
	}
	return q.returnRemove(x.at, x.val)
}

func (q *queue) returnAdd(v history.Value) {
	x := q.values.Get(wording.KeyOf(v))
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
	q.ends.add(x.ae)
}

func (q *queue) returnRemove(call int64, v history.Value) batch.Answer {
	x := q.values.Get(wording.KeyOf(v))
	if x == nil {
		return q.no(batch.NeverAdded, v)
	}
	if x.removed {
		return q.no(batch.Twice, v)
	}
	if x.deadline != 0 && call > x.deadline {
		return q.no(batch.OutOfOrder, v)
	}
	as, from, to := x.as, call, q.now
	if x.ae == 0 {
		x.removed = true
	} else {
		from, to = min(call, x.ae), max(call, x.ae)
		if x.ae < call {
			q.covered = q.covered.plus(x.ae, call)
		}
		q.unlink(x)
		q.drop(x)
	}
	for ; !q.bag && q.fresh != nil && q.fresh.ae < as; q.fresh = q.fresh.next {
		q.fresh.deadline = q.now
		q.dated++
	}
	return q.decide(call, from, to)
}

// returnEmpty ends a remove that found nothing, or a look.
func (q *queue) returnEmpty(call int64) batch.Answer {
	at := sort.Search(len(q.open), func(i int) bool { return q.open[i].gap >= call })
	q.open = slices.Insert(q.open, at, nothing{call, q.now})
	return q.decide(call, call, q.now)
}

// drop forgets a value. What it took is used again, if that is little.
func (q *queue) drop(x *queueValue) {
	q.values.Delete(x.value)
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
	if x.deadline != 0 {
		q.dated--
	}
	q.ends.remove(x.ae)
}

// decide decides with the pending removes that there are now, after an operation
// returned that was called at call, and forgets what is certain. It may rule out gaps
// in [from, to) only.
func (q *queue) decide(call, from, to int64) batch.Answer {
	if x := q.late(call); x != nil {
		return q.no(batch.OutOfOrder, textOf(x.value))
	}
	if !q.move(from, to) {
		return q.no(batch.Covered)
	}
	certain := len(q.open)
	if q.first != nil {
		certain = sort.Search(certain, func(i int) bool { return q.open[i].gap >= q.first.ae })
	}
	q.open = q.open[certain:]
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

// late is the first value in the list that no pending remove takes before its deadline,
// if there is one. The end of an operation only matters to deadlines after its call.
func (q *queue) late(call int64) (late *queueValue) {
	x := q.last
	if q.fresh != nil {
		x = q.fresh.prev
	}
	for i := q.dated - 1; x != nil && x.deadline >= call; x, i = x.prev, i-1 {
		if i >= len(q.pending) || q.pending[i] > x.deadline {
			late = x
		}
	}
	return late
}

// move finds other gaps for the operations that found nothing and have theirs in
// [from, to), where that is ruled out; false if there is none. They stay in order: the
// gap of one that follows is also one for those before it, if they last as long.
func (q *queue) move(from, to int64) bool {
	i := sort.Search(len(q.open), func(i int) bool { return q.open[i].gap >= from })
	for ; i < len(q.open) && q.open[i].gap < to; i++ {
		o := &q.open[i]
		gap, possible := q.gap(o.gap, o.end)
		if !possible {
			return false
		}
		o.gap = gap
	}
	return true
}

// gap is the first gap of [gap, end) in no core for which there are as many pending
// removes as values of the list before it.
func (q *queue) gap(gap, end int64) (first int64, ok bool) {
	for gap < end {
		free := end
		if i := q.covered.ending(gap); i < len(q.covered) {
			if q.covered[i].from <= gap {
				gap = q.covered[i].to
				continue
			}
			free = min(free, q.covered[i].from)
		}
		n := sort.Search(len(q.pending), func(i int) bool { return q.pending[i] > gap })
		for ; n < q.ends.upTo(gap); n++ { // more than n only after the next call
			if n == len(q.pending) || q.pending[n] >= free {
				gap = free
				break
			}
			gap = q.pending[n]
		}
		if gap < free {
			return gap, true
		}
	}
	return 0, false
}

func (q *queue) live() int {
	return q.values.Len() + len(q.pending) + len(q.looks) + len(q.covered) + len(q.open)
}
