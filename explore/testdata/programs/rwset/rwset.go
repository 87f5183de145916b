// Package rwset is a set behind a read-write lock.
package rwset

import "sync"

// Set holds numbers.
type Set struct {
	mu     sync.RWMutex
	values map[int]bool
}

// New makes an empty Set.
func New() *Set { return &Set{values: map[int]bool{}} }

// Add puts v into the set, and reports whether it was not there.
func (s *Set) Add(v int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values[v] {
		return false
	}
	s.values[v] = true
	return true
}

// Has reports whether v is in the set.
func (s *Set) Has(v int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values[v]
}
