// Package chanlen looks at a channel's length, and sends when there may be no room
// any more.
package chanlen

// Queue holds one number at most.
type Queue struct{ c chan int }

// New makes an empty Queue.
func New() *Queue { return &Queue{make(chan int, 1)} }

// Enqueue adds v at the end, or returns false if the queue is full.
func (q *Queue) Enqueue(v int) bool {
	if len(q.c) == cap(q.c) {
		return false
	}
	q.c <- v
	return true
}
