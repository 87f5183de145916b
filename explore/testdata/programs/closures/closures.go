// Package closures has a stack of functions, which share what they have captured.
package closures

import "sync"

// Undo remembers how to undo what was done.
type Undo struct {
	mu   sync.Mutex
	v    int
	undo []func()
}

// Set writes a number.
func (u *Undo) Set(v int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	old := u.v
	u.undo = append(u.undo, func() { u.v, old = old, u.v })
	u.v = v
}

// Back undoes the last Set, and answers the number then.
func (u *Undo) Back() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.undo); n > 0 {
		u.undo[n-1]()
		u.undo = u.undo[:n-1]
	}
	return u.v
}
