// Package queue is a reference implementation of a FIFO queue: a slice behind
// a mutex.
package queue

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Queue holds values; the one added first leaves first. The zero Queue is empty.
type Queue struct {
	mu     sync.Mutex
	values []int
}

// Add puts v at the end.
func (q *Queue) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
}

// Remove takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Remove() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// Spec says how the operations of a queue belong together.
var Spec = reference.Spec{
	Name: "queue",
	New:  func() *Queue { return &Queue{} },
	Language: []reference.Rule{{
		Name:    "add-once",
		Formula: "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
		Reading: "each value is added at most once",
	}},
	// A remove belongs to the add of the value it returns; an add, and a remove
	// that finds the queue empty, stand for themselves.
	Target: []string{
		"method(y) = add & arg(y) = ret(x)",
		"x = y & (method(x) = add | outcome(x) = nil)",
	},
	ReadOnly: "outcome(x) = nil",
	Aliases: map[string][]string{
		"add":    {"enqueue", "offer", "push", "put"},
		"remove": {"dequeue", "get", "poll", "pop"},
	},
}
