// Package blobstore keeps blobs of bytes under names.
package blobstore

import (
	"bytes"
	"errors"
	"sync"
)

// ErrNotFound is returned for names without a blob.
var ErrNotFound = errors.New("blobstore: not found")

// Store is ready for use.
type Store struct {
	mu    sync.Mutex
	blobs map[string][]byte
}

// Put keeps a copy of the data.
func (s *Store) Put(name string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blobs == nil {
		s.blobs = map[string][]byte{}
	}
	s.blobs[name] = bytes.Clone(data)
}

// Get returns a copy of the data.
func (s *Store) Get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.blobs[name]
	if !ok {
		return nil, ErrNotFound
	}
	return bytes.Clone(data), nil
}

// Delete removes the blob.
func (s *Store) Delete(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.blobs[name]; !ok {
		return ErrNotFound
	}
	delete(s.blobs, name)
	return nil
}
