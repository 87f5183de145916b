// Package snapshot has two cells that are read together.
package snapshot

import "sync"

// Pair is two values at one moment.
type Pair struct{ Left, Right int }

// Snapshot holds 0 and 0 at first.
type Snapshot struct {
	mu   sync.Mutex
	pair Pair
}

// New returns a snapshot object.
func New() *Snapshot { return &Snapshot{} }

// SetLeft replaces the left value.
func (s *Snapshot) SetLeft(v int) {
	s.mu.Lock()
	s.pair.Left = v
	s.mu.Unlock()
}

// SetRight replaces the right value.
func (s *Snapshot) SetRight(v int) {
	s.mu.Lock()
	s.pair.Right = v
	s.mu.Unlock()
}

// Scan returns both values.
func (s *Snapshot) Scan() (left, right int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pair.Left, s.pair.Right
}
