// Package delayqueue holds items back for two ticks.
package delayqueue

import "sync"

const delay = 2

type item struct {
	value int
	due   int
}

// Queue is empty at first.
type Queue struct {
	mu    sync.Mutex
	now   int
	items []item
}

// New returns an empty queue.
func New() *Queue { return &Queue{} }

// Put adds a value that is due in two ticks.
func (q *Queue) Put(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item{v, q.now + delay})
}

// Take removes the first value that is due.
func (q *Queue) Take() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 || q.items[0].due > q.now {
		return 0, false
	}
	v := q.items[0].value
	q.items = q.items[1:]
	return v, true
}

// Tick moves the clock.
func (q *Queue) Tick() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now++
}
