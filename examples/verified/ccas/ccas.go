// Package ccas is a conditional compare-and-swap without locks: a cell changes only
// while a flag is set. Who wants to change the cell puts a descriptor into it first,
// then looks at the flag and completes the descriptor; others that find it do the same
// ("Practical lock-freedom"; "Logical relations for fine-grained concurrency").
//
// While a descriptor is in the cell nobody sees its value, so it counts from the first
// moment on at which the flag is as whoever completes it sees it: at once, or
// when the flag is set or cleared. How that will be is a guess until it is completed.
package ccas

import "sync/atomic"

// Cell is an integer with a flag. Its methods may be called by any goroutine.
type Cell struct {
	flag    atomic.Bool
	content atomic.Pointer[content]
}

// content is what a Cell has: a value, or a descriptor, whose value becomes new if the
// flag is set when somebody looks. It never changes, and each is put into the cell at
// most once.
type content struct {
	value   int
	pending bool // a descriptor
	new     int  // of a descriptor
}

// New makes a Cell with this value. Its flag is set.
func New(value int) *Cell {
	c := &Cell{}
	c.flag.Store(true)
	c.content.Store(&content{value: value})
	return c
}

// CCAS writes new if the cell has old and the flag is set. It returns what the cell
// had.
//
//lin:receive after flagged(set bool) in waiting if set == changes: ccas(old, new) = old; goto start
//lin:receive before completed(x *content, set bool) if owns(x): assume changes == set
func (c *Cell) CCAS(old, new int) int {
	d := &content{value: old, pending: true, new: new}
	for {
		now := c.content.Load()
		if now.pending {
			c.complete(now)
			continue
		}
		if now.value != old {
			//lin: ccas(old, new) = now.value
			return now.value
		}
		if c.content.CompareAndSwap(now, d) {
			//lin: guess changes
			//lin: own d
			//lin: if c.flag.Load() == changes: ccas(old, new) = old
			//lin: if c.flag.Load() != changes: goto waiting
			c.complete(d)
			return old
		}
	}
}

// SetFlag sets the flag, or clears it.
func (c *Cell) SetFlag(set bool) {
	c.flag.Store(set)
	//lin: setFlag(set); broadcast flagged(set)
}

// Read returns what the cell has.
func (c *Cell) Read() int {
	for {
		now := c.content.Load()
		if !now.pending {
			//lin: read() = now.value
			return now.value
		}
		c.complete(now)
	}
}

// complete replaces descriptor d by its outcome. The flag may have changed meanwhile:
// it is as it was when whoever comes first looked at it, and that was after d came
// into the cell.
func (c *Cell) complete(d *content) {
	outcome := &content{value: d.value}
	set := c.flag.Load()
	if set {
		outcome.value = d.new
	}
	if !c.content.CompareAndSwap(d, outcome) {
		return // others have done it
	}
	//lin: if owns(d): assume changes == set
	//lin: broadcast completed(d, set)
}
