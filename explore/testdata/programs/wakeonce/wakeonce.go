// Package wakeonce does not look again when it is woken up.
package wakeonce

import "sync"

// Queue holds numbers.
type Queue struct {
	mu     sync.Mutex
	some   sync.Cond
	values []int
}

// New makes an empty Queue.
func New() *Queue {
	q := &Queue{}
	q.some.L = &q.mu
	return q
}

// Put adds v at the end.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	q.values = append(q.values, v)
	q.mu.Unlock()
	q.some.Signal()
}

// Take takes the number at the front, when there is one.
func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		q.some.Wait()
	}
	v := q.values[0] // another one may have been faster
	q.values = q.values[1:]
	return v
}
