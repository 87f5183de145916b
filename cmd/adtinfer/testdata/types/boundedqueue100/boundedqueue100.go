// Package boundedqueue100 is a queue on a channel.
package boundedqueue100

// Queue holds up to a hundred values.
type Queue[T any] struct{ c chan T }

// New returns an empty queue.
func New[T any]() *Queue[T] { return &Queue[T]{make(chan T, 100)} }

// TrySend adds v unless the queue is full.
func (q *Queue[T]) TrySend(v T) bool {
	select {
	case q.c <- v:
		return true
	default:
		return false
	}
}

// TryReceive takes the oldest value.
func (q *Queue[T]) TryReceive() (v T, ok bool) {
	select {
	case v = <-q.c:
		return v, true
	default:
		return v, false
	}
}
