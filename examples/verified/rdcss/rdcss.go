// Package rdcss is a restricted double-compare single-swap without locks: a data cell
// changes if it has what is expected, and a control cell has, too. A descriptor in the
// data cell, which anybody completes, stands for the operation until the control cell was
// read ("A practical multi-word compare-and-swap operation").
//
// While an operation is in the data cell nobody sees the value, so it takes effect at the
// first moment at which the control cell is as whoever decides it sees it: at once, or
// when that cell is written. How that will be is a guess until it is decided.
package rdcss

import "sync/atomic"

// Cells are two integers, data and control. Their methods may be called by any
// goroutine.
type Cells struct {
	control atomic.Int64
	data    atomic.Pointer[word]
}

// word is what the data cell has: a value, or if undecided is there, an operation. It
// never changes, and an operation comes into the cell once.
type word struct {
	value     int
	undecided *operation
}

// operation is what becomes of a data cell that has old: another word, if the control cell
// has what it expects, else old again.
type operation struct {
	control  int64
	old, new *word
}

// New makes Cells with these values.
func New(control, data int) *Cells {
	c := &Cells{}
	c.control.Store(int64(control))
	c.data.Store(&word{value: data})
	return c
}

// RDCSS writes new to the data cell if that has old and the control cell has control. It
// returns what the data cell had.
//
//lin:receive after written(v int) in waiting if (v == control) == changes: rdcss(control, old, new) = old; goto start
//lin:receive before decided(x *word, equal bool) if owns(x): assume changes == equal
func (c *Cells) RDCSS(control, old, new int) int {
	for {
		was := c.settled()
		if was.value != old {
			//lin: rdcss(control, old, new) = was.value
			return was.value
		}
		w := &word{undecided: &operation{control: int64(control), old: was, new: &word{value: new}}}
		if c.data.CompareAndSwap(was, w) {
			//lin: guess changes
			//lin: own w
			//lin: if (c.control.Load() == int64(control)) == changes: rdcss(control, old, new) = old
			//lin: if (c.control.Load() == int64(control)) != changes: goto waiting
			c.decide(w)
			return old
		}
	}
}

// SetControl writes to the control cell.
func (c *Cells) SetControl(control int) {
	c.control.Store(int64(control))
	//lin: setControl(control); broadcast written(control)
}

// Read returns what the data cell has.
func (c *Cells) Read() int {
	w := c.settled()
	//lin: read() = w.value
	return w.value
}

// settled is the value of the data cell, as soon as it has one: it decides operations
// that it finds there.
func (c *Cells) settled() *word {
	for {
		w := c.data.Load()
		if w.undecided == nil {
			return w
		}
		c.decide(w)
	}
}

// decide replaces the operation in the data cell, w, by what comes of it. Some who do so
// may find control cells that differ; the first one counts, and others do not find w any
// more.
func (c *Cells) decide(w *word) {
	op := w.undecided
	outcome := op.old
	equal := c.control.Load() == op.control
	if equal {
		outcome = op.new
	}
	if !c.data.CompareAndSwap(w, outcome) {
		return // others have done it
	}
	//lin: if owns(w): assume changes == equal
	//lin: broadcast decided(w, equal)
}
