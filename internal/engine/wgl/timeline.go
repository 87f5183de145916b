package wgl

import (
	"math/bits"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// timeline is which operations run when. Operations are numbered in order of
// their calls, and each that returns has a slot, a bit, that no other operation running at the
// same time has; there are no more slots than operations running at a time. Those of
// operations that may be left out are in words of their own, every other bit.
type timeline struct {
	slot     []int32 // by operation that returns
	byReturn []int32 // completed operations in order of their returns
	called   []int32 // by rank r: how many operations were called before byReturn[r] returned; at the end all
	ends     []int   // by rank: number of events up to and including the return
	slots    int
	fixed    int     // words of slots
	spare    int     // words after them, for operations that may be left out
	middle   []int32 // by completed operation: twice the time half-way between call and return
}

// newTimeline looks at the operations in ops, numbers into e.Ops in order of
// their calls, as they are in the prefix of n events. Those that are not needed may be
// left out; nil: all are needed.
func newTimeline(e *history.Execution, ops []int32, n int, needed []bool) *timeline {
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
	t.color(needed)
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
func (t *timeline) color(needed []bool) {
	var own, others pool
	next := int32(0)
	pending := make([]bool, len(t.slot))
	for op := range pending {
		pending[op] = true
	}
	for _, op := range t.byReturn {
		pending[op] = false
	}
	of := func(op int32) *pool {
		if needed == nil || needed[op] {
			return &own
		}
		return &others
	}
	for r := 0; r <= len(t.byReturn); r++ {
		for ; next < t.called[r]; next++ {
			if !pending[next] {
				t.slot[next] = of(next).lowest()
			}
		}
		if r < len(t.byReturn) {
			of(t.byReturn[r]).put(t.slot[t.byReturn[r]])
		}
	}
	t.slots, t.fixed, t.spare = own.size, max((own.size+63)/64, 1), (2*others.size+63)/64
	for op := range needed {
		if !needed[op] && !pending[op] {
			t.slot[op] = int32(64*t.fixed) + 2*t.slot[op]
		}
	}
}

// pool is numbers that are free again, out of so many.
type pool struct {
	free []uint64
	size int
}

func (p *pool) put(n int32) { p.free[n>>6] |= 1 << (n & 63) }

// lowest takes the lowest free number, a new one if there is none.
func (p *pool) lowest() int32 {
	for w, word := range p.free {
		if word != 0 {
			p.free[w] &= word - 1
			return int32(w*64 + bits.TrailingZeros64(word))
		}
	}
	if p.size&63 == 0 {
		p.free = append(p.free, 0)
	}
	p.size++
	return int32(p.size - 1)
}

// classes says which operations differ in nothing but their intervals. Of those the
// one that returns first takes effect first; of those that do not return, the one that
// was called first: in any linearization two of them can change places
// (docs/proofs/search.md).
//
// So which pending operations of a class took effect is a number, and numbers of
// classes are packed into words: each has a lane, with a bit on top that stays 0. Those
// of operations that may be left out come first, with a lane each.
type classes struct {
	elder   []int32 // by operation: the one of its class that returns, just before it, or none
	returns []int32 // by operation: its rank among the returns, or how many there are

	before, after []int32 // by pending operation: its neighbours in its class, or none
	lane          []lane  // by pending operation
	guards        []uint64
}

// lane is where the number of a class is: a word, and 1 at its place.
type lane struct {
	word int32
	unit uint64
}

func classesOf(t *timeline, sys System) classes {
	n := len(t.slot)
	links := make([]int32, 4*n)
	c := classes{elder: links[:n], returns: links[n : 2*n], before: links[2*n : 3*n], after: links[3*n:]}
	for op := range links[n:] {
		links[n+op] = none
	}
	var last []int32 // by class, plus one
	meet := func(op int32) (elder int32) {
		class := int(sys.Class(op))
		if class < 0 {
			return none
		}
		for len(last) <= class {
			last = append(last, 0)
		}
		elder = last[class] - 1
		last[class] = op + 1
		return elder
	}
	for r, op := range t.byReturn {
		c.returns[op], c.elder[op] = int32(r), meet(op)
	}
	const each = 0xaaaaaaaaaaaaaaaa // the slots of operations that may be left out are lanes of two bits
	c.guards = slices.Repeat([]uint64{each}, t.spare)
	if len(t.byReturn) == n {
		return c
	}
	returned := append([]int32{}, last...)
	clear(last)
	var first []int32 // of each class of pending operations
	for op := range c.returns {
		if c.returns[op] != none {
			continue
		}
		op := int32(op)
		c.returns[op], c.elder[op] = int32(len(t.byReturn)), none
		if class := int(sys.Class(op)); class >= 0 && class < len(returned) {
			c.elder[op] = returned[class] - 1
		}
		if c.before[op] = meet(op); c.before[op] == none {
			first = append(first, op)
		} else {
			c.after[c.before[op]] = op
		}
	}
	c.lanes(first, t.fixed)
	return c
}

// lanes gives each class of pending operations a lane that is wide enough, in words after
// the fixed ones.
func (c *classes) lanes(first []int32, fixed int) {
	c.lane = make([]lane, len(c.returns))
	free := 0
	for _, op := range first {
		number := 0
		for next := op; next != none; next = c.after[next] {
			number++
		}
		width := bits.Len(uint(number)) + 1
		if free < width {
			c.guards, free = append(c.guards, 0), 64
		}
		l := lane{int32(fixed + len(c.guards) - 1), 1 << (64 - free)}
		free -= width
		c.guards[len(c.guards)-1] |= l.unit << (width - 1)
		for next := op; next != none; next = c.after[next] {
			c.lane[next] = l
		}
	}
}
