// Package fifo is the queue of github.com/enriquebris/goconcurrentqueue, without
// waiting.
package fifo

import "github.com/enriquebris/goconcurrentqueue"

// Queue is a queue of numbers.
type Queue struct{ q *goconcurrentqueue.FIFO }

// New makes an empty Queue.
func New() *Queue { return &Queue{goconcurrentqueue.NewFIFO()} }

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) error { return q.q.Enqueue(v) }

// Dequeue takes the number at the front, or returns false.
func (q *Queue) Dequeue() (int, bool) {
	v, err := q.q.Dequeue()
	if err != nil {
		return 0, false
	}
	return v.(int), true
}
