// Package set is a set of integers.
package set

import "sync"

// Set has no elements at first.
type Set struct {
	mu sync.Mutex
	m  map[int]struct{}
}

// New returns an empty set.
func New() *Set { return &Set{m: map[int]struct{}{}} }

// Add reports whether x was not there before.
func (s *Set) Add(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[x]; ok {
		return false
	}
	s.m[x] = struct{}{}
	return true
}

// Remove reports whether x was there.
func (s *Set) Remove(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[x]
	delete(s.m, x)
	return ok
}

// Contains reports whether x is there.
func (s *Set) Contains(x int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[x]
	return ok
}
