// Package hashmaplist is the sorted list of github.com/cornelk/hashmap, used as its
// map uses it.
package hashmaplist

import "github.com/cornelk/hashmap"

// Set is a set of numbers.
type Set struct{ l *hashmap.List[int, int] }

// New makes an empty Set.
func New() *Set { return &Set{hashmap.NewList[int, int]()} }

// Insert puts v into the set, and reports whether it was not there.
func (s *Set) Insert(v int) bool {
	for {
		_, existed, inserted := s.l.Add(nil, uintptr(v), v, v)
		if existed {
			return false
		}
		if inserted {
			return true
		}
	}
}

// Remove takes v out of the set if it is there.
func (s *Set) Remove(v int) {
	for e := s.l.First(); e != nil; e = e.Next() {
		if e.Value() == v {
			s.l.Delete(e)
			return
		}
	}
}

// Contains reports whether v is in the set.
func (s *Set) Contains(v int) bool {
	for e := s.l.First(); e != nil; e = e.Next() {
		if e.Value() == v {
			return true
		}
	}
	return false
}
