// Package chanqueue is a bounded queue: a channel that nobody waits at.
package chanqueue

// Queue holds two numbers at most.
type Queue struct{ c chan int }

// New makes an empty Queue.
func New() *Queue { return &Queue{make(chan int, 2)} }

// Enqueue adds v at the end, or returns false if the queue is full.
func (q *Queue) Enqueue(v int) bool {
	select {
	case q.c <- v:
		return true
	default:
		return false
	}
}

// Dequeue takes the number at the front, or returns false if there is none.
func (q *Queue) Dequeue() (int, bool) {
	select {
	case v := <-q.c:
		return v, true
	default:
		return 0, false
	}
}
