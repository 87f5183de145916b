// Package kv is a key-value store: a map behind a mutex.
package kv

import "sync"

// Store maps keys to values.
type Store struct {
	mu     sync.RWMutex
	values map[string]string
}

// New makes an empty store.
func New() *Store { return &Store{values: map[string]string{}} }

// Get returns the value of a key, or false if it has none.
func (s *Store) Get(key string) (value string, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	value, ok = s.values[key]
	return value, ok
}

// Put sets the value of a key.
func (s *Store) Put(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
}

// Delete removes a key, if it is there.
func (s *Store) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
}
