// Package kvbytes is a key-value store of bytes.
package kvbytes

import "errors"

// ErrNotFound says that there is no such key.
var ErrNotFound = errors.New("kv: key not found")

// Store maps keys to values.
type Store struct {
	data map[string][]byte
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{data: map[string][]byte{}}
}

// Put stores a value.
func (s *Store) Put(key string, value []byte) {
	s.data[key] = append([]byte{}, value...)
}

// Get returns a key's value.
func (s *Store) Get(key string) ([]byte, error) {
	v, ok := s.data[key]
	if !ok {
		return nil, ErrNotFound
	}
	return v, nil
}

// Delete removes a key, if it is there.
func (s *Store) Delete(key string) {
	delete(s.data, key)
}
