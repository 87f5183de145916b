// Package set is what the sets beside it have to be: a map behind a mutex, whose
// operations say whether they had an effect, or found the value.
package set

import "sync"

// Set holds each value at most once. The zero Set is empty.
type Set struct {
	mu     sync.Mutex
	values map[int]bool
}

// Add puts e into the set, and reports whether it was not there.
func (s *Set) Add(e int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values[e] {
		return false
	}
	if s.values == nil {
		s.values = map[int]bool{}
	}
	s.values[e] = true
	return true
}

// Remove takes e out of the set, and reports whether it was there.
func (s *Set) Remove(e int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.values[e] {
		return false
	}
	delete(s.values, e)
	return true
}

// Contains reports whether e is in the set.
func (s *Set) Contains(e int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[e]
}
