// Package register holds one integer.
package register

import "sync"

// Register holds 0 at first.
type Register struct {
	mu sync.RWMutex
	v  int
}

// Read returns the value written last.
func (r *Register) Read() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.v
}

// Write replaces the value.
func (r *Register) Write(v int) {
	r.mu.Lock()
	r.v = v
	r.mu.Unlock()
}
