// Package ring100 is a log of the last hundred samples: the oldest is overwritten.
package ring100

import "sync"

// Ring is empty at first.
type Ring[T any] struct {
	mu      sync.Mutex
	samples []T
	start   int
	n       int
}

// New returns an empty ring.
func New[T any]() *Ring[T] { return &Ring[T]{samples: make([]T, 100)} }

// Add adds a sample; if there are a hundred, the oldest is lost.
func (r *Ring[T]) Add(v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == len(r.samples) {
		r.start = (r.start + 1) % r.n
		r.n--
	}
	r.samples[(r.start+r.n)%len(r.samples)] = v
	r.n++
}

// Take takes the oldest sample that is left.
func (r *Ring[T]) Take() (v T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == 0 {
		return v, false
	}
	v = r.samples[r.start]
	r.start = (r.start + 1) % len(r.samples)
	r.n--
	return v, true
}
