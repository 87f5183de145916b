// Package kvstore is a map behind a mutex.
package kvstore

import "sync"

// Store maps keys to values.
type Store struct {
	mu sync.RWMutex
	m  map[string]string
}

// New returns an empty store.
func New() *Store { return &Store{m: make(map[string]string)} }

// Put sets the value of a key.
func (s *Store) Put(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[key] = value
}

// Get returns the value of a key.
func (s *Store) Get(key string) (string, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[key]
	return v, ok
}

// Delete removes a key.
func (s *Store) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, key)
}
