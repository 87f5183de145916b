package wgl

import (
	"math/bits"
	"slices"
)

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
