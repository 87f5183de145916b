// Package semaphore8 admits eight at a time.
package semaphore8

import "sync"

// Semaphore has eight permits at first.
type Semaphore struct {
	mu    sync.Mutex
	taken int
}

// TryAcquire takes a permit, if there is one.
func (s *Semaphore) TryAcquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == 8 {
		return false
	}
	s.taken++
	return true
}

// Release gives a permit back; false if none was taken.
func (s *Semaphore) Release() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == 0 {
		return false
	}
	s.taken--
	return true
}
