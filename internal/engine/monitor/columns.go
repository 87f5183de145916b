package monitor

import "sort"

// A role is what an operation does to the values of an object, whatever the
// theory calls its method.
type role uint8

const (
	none    role = iota // says nothing
	add                 // puts its value in: add, write, insert, lock
	remove              // takes its value out
	empty               // saw no value at all: empty remove, read of nothing, unlock of a free lock
	present             // saw its value in
	absent              // saw its value out

	// Roles of pending operations.
	maybeAdd    // puts its value in, or not
	maybeRemove // takes a value out, or not; of a set its own, of others any
)

// never is the return of a pending operation: after every position.
const never = int32(1<<31 - 1)

// columns is an execution as the procedures want it: what each operation does,
// to which value, and when. Positions are those of the events, from 1; values
// are numbered from 0 about in the order in which they first occur.
//
// Operations are in the order of their calls, so a prefix of the execution is a
// prefix of the columns. An operation that returns after it is pending there,
// and what it did is not known yet.
type columns struct {
	events int32
	values int32   // more than every value
	role   []role  // what it did
	value  []int32 // to which value; -1 if to none
	open   []role  // what it may do while it is pending
	kind   []uint8 // which of the adders or removers it is, where there are several
	asked  []int32 // to which value; -1 if the call does not say it
	call   []int32
	ret    []int32

	priority []int64 // by value, of priority queues
}

// newColumns makes room for about so many operations.
func newColumns(ops int) *columns {
	return &columns{
		role: make([]role, 0, ops), open: make([]role, 0, ops), kind: make([]uint8, 0, ops),
		value: make([]int32, 0, ops), asked: make([]int32, 0, ops),
		call: make([]int32, 0, ops), ret: make([]int32, 0, ops),
	}
}

// within counts the operations called at positions up to n.
func (c *columns) within(n int32) int {
	if n >= c.events {
		return len(c.call)
	}
	return sort.Search(len(c.call), func(i int) bool { return c.call[i] > n })
}

// in is the role and value of operation i in the prefix of n events, with its
// return or, if it is pending there, a position after every return.
func (c *columns) in(i int, n int32) (r role, value, ret int32) {
	if c.ret[i] > n {
		return c.open[i], c.asked[i], n + 1
	}
	return c.role[i], c.value[i], c.ret[i]
}

// alike reports whether no operation returned between two calls: there are as many
// events between them as operations that are called there.
func (c *columns) alike(from, to int32) bool {
	return c.within(to)-c.within(from) == int(to-from)
}

// op is an operation on its way into columns.
type op struct {
	role      role
	value     int32
	open      role
	kind      uint8
	asked     int32
	call, ret int32
}

func (c *columns) push(o op) {
	c.role, c.value = append(c.role, o.role), append(c.value, o.value)
	c.open, c.asked = append(c.open, o.open), append(c.asked, o.asked)
	c.kind = append(c.kind, o.kind)
	c.call, c.ret = append(c.call, o.call), append(c.ret, o.ret)
	c.values = max(c.values, o.value+1, o.asked+1)
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
