// Package twolock is a queue with a lock at each end: who adds does not wait for who
// removes ("Simple, fast, and practical non-blocking and blocking concurrent queue
// algorithms" §2).
//
// A value is in the queue once it is linked, and out once the head has moved to it; nobody
// else moves the head while the front is locked. Without a next the head is the last node:
// the queue is empty.
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
	//lin: enqueue(v)
	q.tail = n
}

// Dequeue takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Dequeue() (int, bool) {
	q.front.Lock()
	defer q.front.Unlock()
	next := q.head.next.Load()
	if next == nil {
		//lin: dequeue() = 0, false
		return 0, false
	}
	q.head = next
	//lin: dequeue() = next.value, true
	return next.value, true
}
