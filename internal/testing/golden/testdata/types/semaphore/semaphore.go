// Package semaphore is a counting semaphore without waiting.
package semaphore

// Semaphore has a number of permits.
type Semaphore struct {
	free, permits int
}

// New makes a semaphore with so many permits.
func New(permits int) *Semaphore {
	if permits < 1 {
		panic("semaphore: no permits")
	}
	return &Semaphore{permits, permits}
}

// TryAcquire takes a permit if one is free.
func (s *Semaphore) TryAcquire() bool {
	if s.free == 0 {
		return false
	}
	s.free--
	return true
}

// Release gives a permit back. It panics if none is out.
func (s *Semaphore) Release() {
	if s.free == s.permits {
		panic("semaphore: released more than held")
	}
	s.free++
}
