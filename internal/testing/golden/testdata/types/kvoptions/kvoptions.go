// Package kvoptions is a key-value store whose writes have options.
package kvoptions

import "maps"

// PutOptions say when a value is stored.
type PutOptions struct {
	IfAbsent  bool
	IfPresent bool
}

// Config says how a store is set up.
type Config struct {
	MaxKeys int
	Default string
}

// Store maps keys to values.
type Store struct {
	config Config
	values map[string]string
}

// New makes an empty store.
func New(config Config) *Store {
	return &Store{config: config, values: map[string]string{}}
}

// Put stores a value and reports whether it did.
func (s *Store) Put(key, value string, opts PutOptions) bool {
	_, has := s.values[key]
	if opts.IfAbsent && has || opts.IfPresent && !has || !has && len(s.values) == s.config.MaxKeys {
		return false
	}
	s.values[key] = value
	return true
}

// Get returns a value, or the default.
func (s *Store) Get(key string) string {
	if v, ok := s.values[key]; ok {
		return v
	}
	return s.config.Default
}

// All returns a copy of everything that is stored.
func (s *Store) All() map[string]string {
	return maps.Clone(s.values)
}
