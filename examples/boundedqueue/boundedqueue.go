// Package boundedqueue is a queue with a capacity: a slice behind a mutex.
package boundedqueue

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Queue refuses what it has no room for.
type Queue struct {
	mu       sync.Mutex
	values   []int
	capacity int
}

// New makes a queue with room for so many values.
func New(capacity int) *Queue { return &Queue{capacity: capacity} }

// Offer puts a value at the end if there is room, and reports whether there was.
func (q *Queue) Offer(v int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == q.capacity {
		return false
	}
	q.values = append(q.values, v)
	return true
}

// Poll removes the first value, or returns false if there is none.
func (q *Queue) Poll() (v int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		return 0, false
	}
	v = q.values[0]
	q.values = q.values[1:]
	return v, true
}

// Spec is a queue with room for a hundred values.
var Spec = reference.Spec{Name: "boundedqueue", New: func() *Queue { return New(100) }}
