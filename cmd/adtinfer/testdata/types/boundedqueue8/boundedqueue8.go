// Package boundedqueue8 is a queue with room for eight.
package boundedqueue8

import "sync"

const capacity = 8

// Queue is empty at first.
type Queue struct {
	mu    sync.Mutex
	items []int
}

// New returns an empty queue.
func New() *Queue { return &Queue{items: make([]int, 0, capacity)} }

// Offer adds v unless the queue is full.
func (q *Queue) Offer(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == capacity {
		return false
	}
	q.items = append(q.items, v)
	return true
}

// Poll removes the first item.
func (q *Queue) Poll() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = append(q.items[:0], q.items[1:]...)
	return v, true
}
