// Package condqueue is a bounded queue with condition variables.
package condqueue

import "sync"

// Queue holds one number at most.
type Queue struct {
	mu      sync.Mutex
	changed *sync.Cond
	values  []int
}

// New makes an empty Queue.
func New() *Queue {
	q := &Queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Put adds v at the end, when there is room.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.values) == 1 {
		q.changed.Wait()
	}
	q.values = append(q.values, v)
	q.changed.Broadcast()
}

// Take takes the number at the front, when there is one.
func (q *Queue) Take() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.values) == 0 {
		q.changed.Wait()
	}
	v := q.values[0]
	q.values = nil
	q.changed.Broadcast()
	return v
}
