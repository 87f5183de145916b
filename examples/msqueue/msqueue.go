// Package msqueue is a lock-free queue: a linked list with a head and a tail
// that operations move on by compare-and-swap ("Simple, fast, and practical
// non-blocking and blocking concurrent queue algorithms" §2).
//
// The compare-and-swap of the last node's next adds a value, that of the head takes one.
// A node without a next is the last one, and if it is or was the head, the queue is empty
// at that moment.
package msqueue

import "sync/atomic"

// Queue is a lock-free FIFO queue of integers. Its methods may be called by any
// goroutine.
type Queue struct {
	head atomic.Pointer[node] // a node whose value has left already
	tail atomic.Pointer[node] // the last node, or the one before it

	pause func() // for tests: called where others may get in between; may be nil
}

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

// Paused lets q call a function where others may get in between, for tests. It
// returns q.
func Paused(q *Queue, pause func()) *Queue {
	q.pause = pause
	return q
}

// Enqueue adds v at the end.
func (q *Queue) Enqueue(v int) {
	n := &node{value: v}
	for {
		tail := q.tail.Load()
		next := tail.next.Load()
		q.wait()
		switch {
		case tail != q.tail.Load():
		case next != nil: // the tail lags behind
			q.tail.CompareAndSwap(tail, next)
		case tail.next.CompareAndSwap(nil, n):
			//lin: enqueue(v)
			q.wait()
			q.tail.CompareAndSwap(tail, n)
			return
		}
	}
}

// Dequeue takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Dequeue() (int, bool) {
	for {
		head, tail := q.head.Load(), q.tail.Load()
		next := head.next.Load()
		//lin: if next == nil: dequeue() = 0, false
		q.wait()
		switch {
		case head != q.head.Load():
		case next == nil:
			return 0, false
		case head == tail: // the tail lags behind
			q.tail.CompareAndSwap(tail, next)
		case q.head.CompareAndSwap(head, next):
			//lin: dequeue() = next.value, true
			return next.value, true
		}
	}
}

func (q *Queue) wait() {
	if q.pause != nil {
		q.pause()
	}
}
