// Package semaphore16 is a semaphore with errors.
package semaphore16

import (
	"errors"
	"sync"
)

// ErrExhausted says that all permits are taken.
var ErrExhausted = errors.New("semaphore: exhausted")

// Semaphore counts free permits.
type Semaphore struct {
	mu   sync.Mutex
	free int
}

// New returns a semaphore with sixteen permits.
func New() *Semaphore { return &Semaphore{free: 16} }

// Acquire takes a permit or fails.
func (s *Semaphore) Acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return ErrExhausted
	}
	s.free--
	return nil
}

// Release gives a permit back. It panics if none was taken.
func (s *Semaphore) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 16 {
		panic("semaphore: release without acquire")
	}
	s.free++
}
