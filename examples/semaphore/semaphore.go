// Package semaphore is a counting semaphore that nobody waits for.
package semaphore

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Semaphore has a number of permits.
type Semaphore struct {
	mu            sync.Mutex
	free, permits int
}

// New makes a semaphore with so many permits.
func New(permits int) *Semaphore { return &Semaphore{free: permits, permits: permits} }

// TryAcquire takes a permit if one is free, and reports whether it did.
func (s *Semaphore) TryAcquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// Release gives a permit back. It panics if none is out.
func (s *Semaphore) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free == s.permits {
		panic("semaphore: released more than acquired")
	}
	s.free++
}

// Spec is a semaphore with ten permits.
var Spec = reference.Spec{Name: "semaphore", New: func() *Semaphore { return New(10) }}
