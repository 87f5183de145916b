// Package atomicint is sync/atomic's Int64 behind a mutex.
package atomicint

import "sync"

// Int64 holds 0 at first.
type Int64 struct {
	mu sync.Mutex
	v  int64
}

// Load returns the value.
func (x *Int64) Load() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.v
}

// Store sets the value.
func (x *Int64) Store(v int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.v = v
}

// Swap sets the value and returns the previous one.
func (x *Int64) Swap(v int64) (old int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	old, x.v = x.v, v
	return old
}

// CompareAndSwap sets the value to new if it is old.
func (x *Int64) CompareAndSwap(old, new int64) (swapped bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}
