// Package fifo is a first-in, first-out queue.
package fifo

import "sync"

// Queue is empty at first.
type Queue[T any] struct {
	mu    sync.Mutex
	items []T
}

// New returns an empty queue.
func New[T any]() *Queue[T] { return new(Queue[T]) }

// Enqueue adds v at the end.
func (q *Queue[T]) Enqueue(v T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

// Dequeue removes the first item; false if there is none.
func (q *Queue[T]) Dequeue() (v T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return v, false
	}
	v, q.items = q.items[0], q.items[1:]
	return v, true
}
