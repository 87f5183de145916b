// Package worksteal is a reference implementation of a work-stealing queue in
// which owner and thieves take the oldest task: a slice behind a mutex.
package worksteal

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Queue holds tasks; the one given first leaves first. The zero Queue is empty.
type Queue struct {
	mu    sync.Mutex
	tasks []int
}

// Give adds a task.
func (q *Queue) Give(task int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, task)
}

// Take removes the oldest task for the owner, or returns false if there is none.
func (q *Queue) Take() (task int, ok bool) { return q.oldest() }

// Steal removes the oldest task for a thief, or returns false if there is none.
func (q *Queue) Steal() (task int, ok bool) { return q.oldest() }

func (q *Queue) oldest() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.tasks) == 0 {
		return 0, false
	}
	task := q.tasks[0]
	q.tasks = q.tasks[1:]
	return task, true
}

// Spec says how the operations of a work-stealing queue belong together.
var Spec = reference.Spec{
	Name: "worksteal",
	New:  func() *Queue { return &Queue{} },
	Language: []reference.Rule{{
		Name:    "give-once",
		Formula: "forall x:Op, y:Op. method(x) = give & method(y) = give & arg(x) = arg(y) -> x = y",
		Reading: "each task is given at most once",
	}},
	// A take or steal belongs to the give of the task it returns; a give, and an
	// operation that finds the queue empty, stand for themselves.
	Target: []string{
		"method(y) = give & arg(y) = ret(x)",
		"x = y & (method(x) = give | outcome(x) = nil)",
	},
	ReadOnly: "outcome(x) = nil",
}
