// Package workqueue hands work out until it is acknowledged.
package workqueue

import (
	"slices"
	"sync"
)

// Queue is empty at first.
type Queue struct {
	mu       sync.Mutex
	ready    []string
	inFlight []string
}

// New returns an empty queue.
func New() *Queue { return &Queue{} }

// Submit adds a task.
func (q *Queue) Submit(task string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready = append(q.ready, task)
}

// Fetch hands out the oldest task that is ready.
func (q *Queue) Fetch() (task string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) == 0 {
		return "", false
	}
	task, q.ready = q.ready[0], q.ready[1:]
	q.inFlight = append(q.inFlight, task)
	return task, true
}

// Ack says that a task was done.
func (q *Queue) Ack(task string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.settle(task)
}

// Nack says that a task failed: it is ready again, behind all others.
func (q *Queue) Nack(task string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.settle(task) {
		return false
	}
	q.ready = append(q.ready, task)
	return true
}

func (q *Queue) settle(task string) bool {
	i := slices.Index(q.inFlight, task)
	if i < 0 {
		return false
	}
	q.inFlight = slices.Delete(q.inFlight, i, i+1)
	return true
}
