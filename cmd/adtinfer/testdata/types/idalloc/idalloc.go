// Package idalloc hands out numbers that were never used.
package idalloc

import "sync"

// Allocator starts with 1.
type Allocator struct {
	mu   sync.Mutex
	last uint64
}

// Next returns a new number.
func (a *Allocator) Next() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	return a.last
}
