// Package racymap reads a map while others write it.
package racymap

import "sync"

// Set holds numbers.
type Set struct {
	mu sync.Mutex
	m  map[int]bool
}

// New makes an empty Set.
func New() *Set { return &Set{m: map[int]bool{}} }

// Add puts v into the set.
func (s *Set) Add(v int) {
	s.mu.Lock()
	s.m[v] = true
	s.mu.Unlock()
}

// Has reports whether v is in the set.
func (s *Set) Has(v int) bool { return s.m[v] }
