// Package syncmap is a set in a sync.Map.
package syncmap

import "sync"

// Set holds numbers.
type Set struct{ m sync.Map }

// Add puts v into the set, and reports whether it was not there.
func (s *Set) Add(v int) bool {
	_, there := s.m.LoadOrStore(v, true)
	return !there
}

// Remove takes v out of the set, and reports whether it was there.
func (s *Set) Remove(v int) bool {
	_, there := s.m.LoadAndDelete(v)
	return there
}

// Has reports whether v is in the set.
func (s *Set) Has(v int) bool {
	_, there := s.m.Load(v)
	return there
}
