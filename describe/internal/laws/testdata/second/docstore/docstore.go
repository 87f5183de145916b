// Package docstore keeps text documents with optimistic versioning.
package docstore

import (
	"errors"
	"sort"
	"strings"
)

// Errors returned by Store.
var (
	ErrNotFound = errors.New("docstore: not found")
	ErrConflict = errors.New("docstore: version conflict")
)

// Doc is one stored document.
type Doc struct {
	Body    string
	Version int
}

// Store maps names to documents.
type Store struct {
	docs map[string]Doc
}

// New returns an empty store.
func New() *Store { return &Store{docs: make(map[string]Doc)} }

// Write saves body under name. The version must be the one the document has
// now, or 0 for a document that does not exist yet. The new version is
// returned.
func (s *Store) Write(name, body string, version int) (int, error) {
	cur := s.docs[name]
	if cur.Version != version {
		return cur.Version, ErrConflict
	}
	s.docs[name] = Doc{Body: body, Version: version + 1}
	return version + 1, nil
}

// Read returns a document.
func (s *Store) Read(name string) (Doc, error) {
	d, ok := s.docs[name]
	if !ok {
		return Doc{}, ErrNotFound
	}
	return d, nil
}

// Remove deletes a document whatever its version.
func (s *Store) Remove(name string) error {
	if _, ok := s.docs[name]; !ok {
		return ErrNotFound
	}
	delete(s.docs, name)
	return nil
}

// List returns the sorted names that start with prefix.
func (s *Store) List(prefix string) []string {
	names := []string{}
	for n := range s.docs {
		if strings.HasPrefix(n, prefix) {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	return names
}
