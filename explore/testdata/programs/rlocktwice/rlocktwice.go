// Package rlocktwice takes a read lock that it holds: a writer that comes in between
// waits for the first one, and the second one for the writer.
package rlocktwice

import "sync"

// Set holds numbers.
type Set struct {
	mu     sync.RWMutex
	values map[int]bool
}

// New makes an empty Set.
func New() *Set { return &Set{values: map[int]bool{}} }

// Add puts v into the set.
func (s *Set) Add(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[v] = true
}

// Has reports whether v is in the set.
func (s *Set) Has(v int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.Len() > 0 && s.values[v]
}

// Len answers how many numbers there are.
func (s *Set) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.values)
}
