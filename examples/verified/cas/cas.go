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
