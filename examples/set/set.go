// Package set is a reference implementation of a set: a map behind a mutex.
package set

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Set holds each value at most once. The zero Set is empty.
//
// Every method returns its argument and true if the value was in the set when
// it was called, and false otherwise.
type Set struct {
	mu     sync.Mutex
	values map[int]bool
}

// Insert adds v unless it is there.
func (s *Set) Insert(v int) (present int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values[v] {
		return v, true
	}
	if s.values == nil {
		s.values = map[int]bool{}
	}
	s.values[v] = true
	return 0, false
}

// Remove takes v out if it is there.
func (s *Set) Remove(v int) (present int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.values[v] {
		return 0, false
	}
	delete(s.values, v)
	return v, true
}

// Contains looks whether v is there.
func (s *Set) Contains(v int) (present int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.values[v] {
		return 0, false
	}
	return v, true
}

// Spec says how the operations of a set belong together.
var Spec = reference.Spec{
	Name: "set",
	New:  func() *Set { return &Set{} },
	Language: []reference.Rule{{
		Name: "insert-once",
		Formula: "forall x:Op, y:Op. method(x) = insert & outcome(x) = nil & method(y) = insert & outcome(y) = nil" +
			" & arg(x) = arg(y) -> x = y",
		Reading: "each value is inserted with effect at most once",
	}},
	// An operation belongs to the insert that put its value in. Without one, an
	// operation that did not find its value stands for itself.
	Target: []string{
		"method(y) = insert & outcome(y) = nil & arg(y) = arg(x)",
		"x = y & outcome(x) = nil",
	},
	ReadOnly: "method(x) = contains | method(x) = insert & outcome(x) = value | method(x) = remove & outcome(x) = nil",
}
