// Package kvcas is a key-value store with compare-and-swap.
package kvcas

import "sync"

// Store maps strings to integers; a missing key has the value zero.
type Store struct {
	mu sync.RWMutex
	m  map[string]int
}

// New returns an empty store.
func New() *Store {
	return &Store{m: map[string]int{}}
}

// Get returns the value of a key.
func (s *Store) Get(key string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[key]
}

// Put stores a value.
func (s *Store) Put(key string, value int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[key] = value
}

// CompareAndSwap replaces old by new and reports whether it did.
func (s *Store) CompareAndSwap(key string, old, new int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m[key] != old {
		return false
	}
	s.m[key] = new
	return true
}
