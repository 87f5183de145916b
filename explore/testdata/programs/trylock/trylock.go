// Package trylock is a queue that fails if somebody else is at it.
package trylock

import "sync"

// Queue is a queue of numbers.
type Queue struct {
	mu     sync.Mutex
	values []int
}

// TryEnqueue adds v at the end, or returns false if the queue is busy.
func (q *Queue) TryEnqueue(v int) bool {
	if !q.mu.TryLock() {
		return false
	}
	defer q.mu.Unlock()
	q.values = append(q.values, v)
	return true
}

// Dequeue takes the number at the front, or returns false.
func (q *Queue) Dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}
