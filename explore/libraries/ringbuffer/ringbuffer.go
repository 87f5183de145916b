// Package ringbuffer is the bounded queue of github.com/Workiva/go-datastructures.
package ringbuffer

import "github.com/Workiva/go-datastructures/queue"

// Ring is a queue of two numbers at most.
type Ring struct{ r *queue.RingBuffer }

// New makes an empty Ring.
func New() *Ring { return &Ring{queue.NewRingBuffer(2)} }

// Offer adds v at the end, or returns false if there is no room.
func (r *Ring) Offer(v int) bool {
	ok, err := r.r.Offer(v)
	return ok && err == nil
}

// Get takes the number at the front; it waits until there is one.
func (r *Ring) Get() int {
	v, err := r.r.Get()
	if err != nil {
		panic(err)
	}
	return v.(int)
}
