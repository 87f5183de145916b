// Package closablequeue is a queue that can be closed.
package closablequeue

import (
	"errors"
	"sync"
)

// ErrClosed is returned by Send after Close.
var ErrClosed = errors.New("closablequeue: closed")

// Queue is open and empty at first.
type Queue struct {
	mu     sync.Mutex
	items  []int
	closed bool
}

// Send adds a value to an open queue.
func (q *Queue) Send(v int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.items = append(q.items, v)
	return nil
}

// Receive takes the oldest value, even from a closed queue.
func (q *Queue) Receive() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0, false
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v, true
}

// Close closes the queue; false if it is closed already.
func (q *Queue) Close() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	was := q.closed
	q.closed = true
	return !was
}
