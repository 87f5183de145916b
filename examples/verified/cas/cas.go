// Package cas is what the conditional and the restricted compare-and-swap beside it
// have to be: integers behind a mutex, which change together with nothing else.
package cas

import "sync"

// Flagged is an integer that changes only while its flag is set.
type Flagged struct {
	mu    sync.Mutex
	flag  bool
	value int
}

// NewFlagged makes a Flagged with this value. Its flag is set.
func NewFlagged(value int) *Flagged {
	return &Flagged{flag: true, value: value}
}

// CCAS writes new if the value is old and the flag is set. It returns the value before.
func (f *Flagged) CCAS(old, new int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.value
	if was == old && f.flag {
		f.value = new
	}
	return was
}

// SetFlag sets the flag, or clears it.
func (f *Flagged) SetFlag(set bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flag = set
}

// Read returns the value.
func (f *Flagged) Read() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.value
}

// Controlled is an integer that changes only while another one, the control, is as
// expected.
type Controlled struct {
	mu            sync.Mutex
	control, data int
}

// NewControlled makes a Controlled with these values.
func NewControlled(control, data int) *Controlled {
	return &Controlled{control: control, data: data}
}

// RDCSS writes new if the data are old and the control is control. It returns the data
// before.
func (c *Controlled) RDCSS(control, old, new int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.data
	if was == old && c.control == control {
		c.data = new
	}
	return was
}

// SetControl changes the control.
func (c *Controlled) SetControl(control int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.control = control
}

// Read returns the data.
func (c *Controlled) Read() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.data
}
