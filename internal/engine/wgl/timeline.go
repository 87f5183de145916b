package wgl

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// timeline is which operations run when. Operations are numbered in order of
// their calls, and each that returns has a slot that no other operation running at the
// same time has; there are no more slots than operations running at a time.
type timeline struct {
	slot     []int32 // by operation that returns
	byReturn []int32 // completed operations in order of their returns
	called   []int32 // by rank r: how many operations were called before byReturn[r] returned; at the end all
	ends     []int   // by rank: number of events up to and including the return
	slots    int
	middle   []int32 // by completed operation: twice the time half-way between call and return
}

// newTimeline looks at the operations in ops, numbers into e.Ops in order of
// their calls, as they are in the prefix of n events.
func newTimeline(e *history.Execution, ops []int32, n int) *timeline {
	ops = ops[:calledBefore(e, ops, n)]
	t := &timeline{slot: make([]int32, len(ops)), middle: make([]int32, len(ops))}
	returns := returnsOf(e, ops, n)
	t.byReturn = make([]int32, 0, len(returns))
	t.called = make([]int32, 0, len(returns)+1)
	t.ends = make([]int, 0, len(returns))
	calls := 0
	for _, r := range returns {
		end := r.at
		t.byReturn = append(t.byReturn, r.op)
		for calls < len(ops) && e.Ops[ops[calls]].Call < end {
			t.middle[calls] = int32(e.Ops[ops[calls]].Call)
			calls++
		}
		t.middle[r.op] += int32(end)
		t.called, t.ends = append(t.called, int32(calls)), append(t.ends, end+1)
	}
	t.called = append(t.called, int32(len(ops)))
	t.color()
	return t
}

// returned is an operation with the number of its return.
type returned struct {
	at int
	op int32
}

// returnsOf lists those of ops, by their places, that returned in the prefix of n
// events, in order. They come in order of their calls, which is nearly that: each is
// put in its place among those before it, unless many run at a time.
func returnsOf(e *history.Execution, ops []int32, n int) []returned {
	all := make([]returned, 0, len(ops))
	for i, op := range ops {
		if o := &e.Ops[op]; completedIn(o, n) {
			all = append(all, returned{o.Return, int32(i)})
		}
	}
	moves := 32 * len(all)
	for i := 1; i < len(all) && moves > 0; i++ {
		r, j := all[i], i
		for ; j > 0 && all[j-1].at > r.at; j-- {
			all[j] = all[j-1]
		}
		all[j] = r
		moves -= i - j
	}
	if moves <= 0 {
		slices.SortFunc(all, func(a, b returned) int { return a.at - b.at })
	}
	return all
}

// calledBefore is how many of ops were called in the prefix of n events.
func calledBefore(e *history.Execution, ops []int32, n int) int {
	k, _ := slices.BinarySearchFunc(ops, n, func(op int32, n int) int { return e.Ops[op].Call - n })
	return k
}

func completedIn(o *history.Operation, n int) bool { return o.Completed() && o.Return < n }

// color gives each operation the lowest slot that is free when it is called.
func (t *timeline) color() {
	var free []uint64
	next := int32(0)
	pending := make([]bool, len(t.slot))
	for op := range pending {
		pending[op] = true
	}
	for _, op := range t.byReturn {
		pending[op] = false
	}
	for r := 0; r <= len(t.byReturn); r++ {
		for ; next < t.called[r]; next++ {
			if !pending[next] {
				t.slot[next] = t.lowest(&free)
			}
		}
		if r < len(t.byReturn) {
			s := t.slot[t.byReturn[r]]
			free[s>>6] |= 1 << (s & 63)
		}
	}
}

// lowest takes the lowest free slot, a new one if there is none.
func (t *timeline) lowest(free *[]uint64) int32 {
	for w, word := range *free {
		if word != 0 {
			(*free)[w] &= word - 1
			return int32(w*64 + bits.TrailingZeros64(word))
		}
	}
	if t.slots&63 == 0 {
		*free = append(*free, 0)
	}
	t.slots++
	return int32(t.slots - 1)
}
