// Package register holds a number, zero at first.
package register

import "sync"

// Register is a shared integer.
type Register struct {
	mu    sync.Mutex
	value int64
}

// Read returns the number.
func (r *Register) Read() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value
}

// Write replaces the number.
func (r *Register) Write(v int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value = v
}
