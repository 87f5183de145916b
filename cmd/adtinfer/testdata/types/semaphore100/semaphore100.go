// Package semaphore100 is a semaphore on a channel.
package semaphore100

// Semaphore is a channel with an element for every permit that is taken.
type Semaphore chan struct{}

// New returns a semaphore with a hundred permits.
func New() Semaphore { return make(Semaphore, 100) }

// TryAcquire takes a permit, if there is one.
func (s Semaphore) TryAcquire() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// TryRelease gives a permit back, if one was taken.
func (s Semaphore) TryRelease() bool {
	select {
	case <-s:
		return true
	default:
		return false
	}
}
