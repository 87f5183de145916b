// Package boundedqueue16 is a queue that reports errors.
package boundedqueue16

import (
	"errors"
	"sync"
)

// Errors of the queue.
var (
	ErrFull  = errors.New("queue is full")
	ErrEmpty = errors.New("queue is empty")
)

// Queue holds up to sixteen strings.
type Queue struct {
	mu    sync.Mutex
	items []string
}

// Put adds a string at the end.
func (q *Queue) Put(s string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) >= 16 {
		return ErrFull
	}
	q.items = append(q.items, s)
	return nil
}

// Get takes a string from the front.
func (q *Queue) Get() (string, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return "", ErrEmpty
	}
	s := q.items[0]
	q.items = q.items[1:]
	return s, nil
}
