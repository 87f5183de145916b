// Package lockfreequeue is the queue of golang.design/x/lockfree.
package lockfreequeue

import "golang.design/x/lockfree"

// Queue is a queue of numbers.
type Queue struct{ q *lockfree.Queue }

// New makes an empty Queue.
func New() *Queue { return &Queue{lockfree.NewQueue()} }

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) { q.q.Enqueue(v) }

// Dequeue takes the number at the front, or returns false.
func (q *Queue) Dequeue() (int, bool) {
	v, ok := q.q.Dequeue().(int)
	return v, ok
}
