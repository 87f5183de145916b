// Package set is a set of integers.
package set

// Set is empty at first.
type Set struct {
	members map[int]struct{}
}

// New returns an empty set.
func New() *Set {
	return &Set{members: map[int]struct{}{}}
}

// Add reports whether v is new in the set.
func (s *Set) Add(v int) bool {
	if _, ok := s.members[v]; ok {
		return false
	}
	s.members[v] = struct{}{}
	return true
}

// Remove reports whether v was in the set.
func (s *Set) Remove(v int) bool {
	if _, ok := s.members[v]; !ok {
		return false
	}
	delete(s.members, v)
	return true
}

// Contains reports whether v is in the set.
func (s *Set) Contains(v int) bool {
	_, ok := s.members[v]
	return ok
}
