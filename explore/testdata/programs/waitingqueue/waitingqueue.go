// Package waitingqueue is a channel: who takes a number waits until there is one.
package waitingqueue

// Queue holds two numbers at most.
type Queue struct{ c chan int }

// New makes an empty Queue.
func New() *Queue { return &Queue{make(chan int, 2)} }

// Put adds v at the end, when there is room.
func (q *Queue) Put(v int) { q.c <- v }

// Take takes the number at the front, when there is one.
func (q *Queue) Take() int { return <-q.c }
