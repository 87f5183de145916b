// Package elimqueue is a lock-free queue with elimination: a linked list, beside which an
// enqueue and a dequeue may meet and hand over a value. An enqueue has to be old enough
// for that: what was in the queue when it came must have left, so that its value would be
// at the front ("Using elimination to implement scalable and lock-free FIFO queues").
//
// A value that is handed over was in the queue before all nodes that are there then, so its
// enqueue took effect just before the first of these was appended, if there is one: when a
// node is appended, each enqueue that waits guesses whether it will overtake it so. (A
// guess for each of two nodes: with more that come and leave in the meantime, or with two enqueues
// that overtake the same node, the policy says too little.)
package elimqueue

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// slots is how many enqueues can wait for a dequeue at once.
const slots = 2

// Queue is a FIFO queue of integers. Its methods may be called by any goroutine.
type Queue struct {
	head      atomic.Pointer[node] // a node whose value has left already
	tail      atomic.Pointer[node] // the last node, or the one before it
	collision [slots]atomic.Pointer[offer]
}

// node is a value with what comes after it.
type node struct {
	value  int
	number int // of nodes that came before, set before the node is linked
	next   atomic.Pointer[node]
}

// offer is an enqueue that waits for a dequeue. Who removes it from its slot decides.
type offer struct {
	value int
	after int // number of the last node when the enqueue came
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
//
//lin:receive before appended() in waiting: guess first; goto one
//lin:receive before appended() in one if !first: guess second; goto two
//lin:receive before overtaken() in one if first: enqueue(v); goto done
//lin:receive before overtaken() in two if second: enqueue(v); goto done
//lin:receive before met(o *offer, left int) if owns(o): assume first == (left == 0); assume second == (left == 1)
//lin:receive before given(o *offer) in one if owns(o): enqueue(v); goto done
func (q *Queue) Enqueue(v int) {
	n := &node{value: v}
	tail := q.last()
	after := tail.number
	//lin: goto waiting
	for ; ; tail = q.last() {
		n.number = tail.number + 1
		if tail.next.CompareAndSwap(nil, n) {
			//lin: assume !first; assume !second
			//lin: enqueue(v); broadcast appended(); broadcast overtaken(); goto done
			q.tail.CompareAndSwap(tail, n) // if that fails, others have done it
			return
		}
		if q.offer(&offer{v, after}) {
			return
		}
	}
}

// Dequeue takes the value at the front, or returns false if the queue is empty.
func (q *Queue) Dequeue() (int, bool) {
	for {
		head, tail := q.head.Load(), q.tail.Load()
		next := head.next.Load()
		switch {
		case next == nil:
			//lin: dequeue() = 0, false
			return 0, false
		case head == tail: // the tail lags behind
			q.tail.CompareAndSwap(tail, next)
		case q.head.CompareAndSwap(head, next):
			//lin: dequeue() = next.value, true
			return next.value, true
		}
		if other := q.accept(); other != nil {
			//lin: dequeue() = other.value, true; broadcast met(other, q.head.Load().number-other.after); broadcast given(other)
			return other.value, true
		}
	}
}

// last is the last node, to which the tail is moved on.
func (q *Queue) last() *node {
	for {
		tail := q.tail.Load()
		next := tail.next.Load()
		if next == nil {
			return tail
		}
		q.tail.CompareAndSwap(tail, next)
	}
}

// offer offers a value to dequeues, and reports whether one has taken it.
func (q *Queue) offer(mine *offer) bool {
	slot := &q.collision[rand.IntN(slots)]
	if !slot.CompareAndSwap(nil, mine) {
		return false
	}
	//lin: own mine
	runtime.Gosched() // somebody may come
	return !slot.CompareAndSwap(mine, nil)
}

// accept takes a value that is offered and old enough: what was in the queue when the
// enqueue came has left, and what has come since is as if it came after it. It returns nil if
// there is none.
func (q *Queue) accept() *offer {
	slot := &q.collision[rand.IntN(slots)]
	other := slot.Load()
	if other == nil || q.head.Load().number < other.after || !slot.CompareAndSwap(other, nil) {
		return nil
	}
	return other
}
