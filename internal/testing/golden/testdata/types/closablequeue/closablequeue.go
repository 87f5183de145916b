// Package closablequeue is a queue that ends.
package closablequeue

import (
	"errors"
	"sync"
)

// Errors of a queue.
var (
	ErrClosed = errors.New("queue: closed")
	ErrEmpty  = errors.New("queue: empty")
)

// Queue is open and empty at first.
type Queue struct {
	mu     sync.Mutex
	items  []string
	closed bool
}

// Send appends an item to an open queue.
func (q *Queue) Send(item string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.items = append(q.items, item)
	return nil
}

// Close ends the queue. It panics if that was done before.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		panic("queue: close of closed queue")
	}
	q.closed = true
}

// Receive removes the first item. What was sent before the queue was closed is
// received; more is false if it is closed and nothing is left.
func (q *Queue) Receive() (item string, more bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.items) > 0:
		item, q.items = q.items[0], q.items[1:]
		return item, true, nil
	case q.closed:
		return "", false, nil
	}
	return "", true, ErrEmpty
}
