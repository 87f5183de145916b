// Package multiset counts how often elements were added.
package multiset

import "sync"

// Multiset is empty at first.
type Multiset[T comparable] struct {
	mu     sync.Mutex
	counts map[T]int
}

// New returns an empty multiset.
func New[T comparable]() *Multiset[T] { return &Multiset[T]{counts: map[T]int{}} }

// Add adds one x.
func (m *Multiset[T]) Add(x T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[x]++
}

// Remove takes one x away, if there is one.
func (m *Multiset[T]) Remove(x T) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts[x] == 0 {
		return false
	}
	m.counts[x]--
	return true
}

// Count returns how many x there are.
func (m *Multiset[T]) Count(x T) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts[x]
}
