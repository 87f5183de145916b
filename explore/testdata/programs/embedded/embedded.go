// Package embedded has operations that it got from what it embeds.
package embedded

import "sync"

// Set is a set of numbers that counts what was added.
type Set struct {
	*base
	added int
}

type base struct {
	mu     sync.Mutex
	values []int
}

// New makes an empty Set.
func New() *Set { return &Set{base: &base{}} }

// Has reports whether v is in the set.
func (b *base) Has(v int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.at(v) >= 0
}

func (b *base) at(v int) int {
	for i, w := range b.values {
		if v == w {
			return i
		}
	}
	return -1
}

// Add puts v into the set, and answers how often that was asked for.
func (s *Set) Add(v int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at(v) < 0 {
		s.values = append(s.values, v)
	}
	s.added++
	return s.added
}
