// Package ccas is a conditional compare-and-swap without locks: a cell changes only
// while a flag is set. Who wants to change the cell puts a descriptor into it first,
// then looks at the flag and completes the descriptor; others that find it do the same
// ("Practical lock-freedom"; "Logical relations for fine-grained concurrency").
//
// A conditional compare-and-swap takes effect where the flag is read by the goroutine that
// will complete its descriptor. Which one that is, nobody knows yet: it guesses, and
// while one is bound to win, no other can be.
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
//lin:receive before decided() in winning: assume false
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
			//lin: own d
			c.complete(d)
			return old
		}
	}
}

// SetFlag sets the flag, or clears it.
func (c *Cell) SetFlag(set bool) {
	c.flag.Store(set)
	//lin: setFlag(set)
}

// Read returns what the cell has.
//
//lin:receive before decided() in winning: assume false
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
	if c.flag.Load() {
		outcome.value = d.new
	}
	//lin: guess wins
	//lin: if wins: assume c.content.Load() == d; ccas(d.value, d.new) = d.value for d; broadcast decided(); goto winning
	if c.content.CompareAndSwap(d, outcome) {
		//lin: assume wins; goto start
		return
	}
	//lin: assume !wins
}
