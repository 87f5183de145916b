// Package chanqueue is a queue on a channel.
package chanqueue

import "context"

// Queue has a buffer; senders and receivers wait.
type Queue struct {
	c chan int
}

// New makes a queue with a buffer for size values.
func New(size int) *Queue {
	return &Queue{c: make(chan int, size)}
}

// Send waits until there is room for v.
func (q *Queue) Send(ctx context.Context, v int) error {
	select {
	case q.c <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Receive waits until there is a value.
func (q *Queue) Receive(ctx context.Context) (int, error) {
	select {
	case v := <-q.c:
		return v, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// TryReceive takes a value if there is one.
func (q *Queue) TryReceive() (int, bool) {
	select {
	case v := <-q.c:
		return v, true
	default:
		return 0, false
	}
}
