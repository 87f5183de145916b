// Package deferred has calls that are made at the end, the last one first, and a
// result that they change.
package deferred

import "sync"

// Register holds a number.
type Register struct {
	mu sync.Mutex
	v  int
}

// Swap writes a number, and answers the one before it.
func (r *Register) Swap(v int) (old int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func(v int) {
		old, r.v = r.v, v
	}(v)
	v = -1
	for i := range 3 {
		defer func() { r.v += i - 1 }() // nothing in all
	}
	return v
}
