// Package fifowait is the queue of github.com/enriquebris/goconcurrentqueue, which
// hands what is added to who waits.
package fifowait

import "github.com/enriquebris/goconcurrentqueue"

// Queue is a queue of numbers.
type Queue struct{ q *goconcurrentqueue.FIFO }

// New makes an empty Queue.
func New() *Queue { return &Queue{goconcurrentqueue.NewFIFO()} }

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) error { return q.q.Enqueue(v) }

// Dequeue takes the number at the front, when there is one.
func (q *Queue) Dequeue() (any, error) { return q.q.DequeueOrWaitForNextElement() }
