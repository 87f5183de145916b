// Package twolock is a queue with a lock at each end: who adds does not wait for who
// removes ("Simple, fast, and practical non-blocking and blocking concurrent queue
// algorithms" §2).
package twolock

import (
	"sync"
	"sync/atomic"
)

// Queue is a FIFO queue of integers. Its methods may be called by any goroutine.
type Queue struct {
	front sync.Mutex
	head  *node // a node whose value has left already; protected by front

	back sync.Mutex
	tail *node // the last node; protected by back
}

// node is a value with what comes after it. If it is the last one, next is written
// at the back and read at the front.
type node struct {
	value int
	next  atomic.Pointer[node]
}

// New makes an empty Queue.
func New() *Queue {
	n := &node{}
	return &Queue{head: n, tail: n}
}

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) {
	n := &node{value: v}
	q.back.Lock()
	defer q.back.Unlock()
	q.tail.next.Store(n)
	q.tail = n
}

// Dequeue takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Dequeue() (int, bool) {
	q.front.Lock()
	defer q.front.Unlock()
	next := q.head.next.Load()
	if next == nil {
		return 0, false
	}
	q.head = next
	return next.value, true
}
