// Package dglm is a lock-free queue: a linked list whose head and tail operations move on
// by compare-and-swap. The tail may lag behind the head, so that who takes a value
// looks at the tail once, after the head has moved ("Formal verification of a
// practical lock-free queue algorithm").
//
// The compare-and-swap of the last node's next adds a value, that of the head takes one.
// The head never passes the last node: while the one it was at has no next, the queue is
// empty.
package dglm

import "sync/atomic"

// Queue is a lock-free FIFO queue of integers. Its methods may be called by any
// goroutine.
type Queue struct {
	head atomic.Pointer[node] // a node whose value has left already
	tail atomic.Pointer[node] // a node from which the last one is reached, perhaps before the head
}

// node is a value with what comes after it.
type node struct {
	value int
	next  atomic.Pointer[node]
}

// New makes an empty Queue.
func New() *Queue {
	q := &Queue{}
	n := &node{}
	q.head.Store(n)
	q.tail.Store(n)
	return q
}

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) {
	n := &node{value: v}
	for {
		tail := q.tail.Load()
		next := tail.next.Load()
		switch {
		case tail != q.tail.Load(): // next may be old, too
		case next != nil: // the tail lags behind
			q.tail.CompareAndSwap(tail, next)
		case tail.next.CompareAndSwap(nil, n):
			//lin: enqueue(v)
			q.tail.CompareAndSwap(tail, n) // if that fails, others have done it
			return
		}
	}
}

// Dequeue takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Dequeue() (int, bool) {
	for {
		head := q.head.Load()
		next := head.next.Load()
		//lin: if next == nil: dequeue() = 0, false
		switch {
		case head != q.head.Load(): // next may be old, too
		case next == nil:
			return 0, false
		case q.head.CompareAndSwap(head, next):
			//lin: dequeue() = next.value, true
			if tail := q.tail.Load(); tail == head { // the head has just passed it
				q.tail.CompareAndSwap(tail, next)
			}
			return next.value, true
		}
	}
}
