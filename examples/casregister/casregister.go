// Package casregister is a register with compare-and-swap, as sync/atomic has it.
package casregister

import "sync"

// Register holds an integer. The zero Register holds 0.
type Register struct {
	mu    sync.Mutex
	value int
}

// Load returns the integer.
func (r *Register) Load() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.value
}

// Store replaces the integer.
func (r *Register) Store(v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.value = v
}

// CompareAndSwap replaces old by new if old is there, and reports whether it was.
func (r *Register) CompareAndSwap(old, new int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.value != old {
		return false
	}
	r.value = new
	return true
}
