// Package nolock has the two-lock queue ("Simple, fast, and practical non-blocking and blocking concurrent queue
// algorithms", Michael and Scott 1996, figure 2) without the lock at its head. It is wrong: two goroutines may get the same value.
package nolock

import (
	"sync"
	"sync/atomic"
)

// Queue is a queue that may give a value twice.
type Queue struct {
	head, tail atomic.Pointer[node]
	adds       sync.Mutex
}

type node struct {
	value int
	next  atomic.Pointer[node]
}

// New makes an empty Queue.
func New() *Queue {
	q := &Queue{}
	first := &node{}
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

// Add puts v at the end.
func (q *Queue) Add(v int) {
	n := &node{value: v}
	q.adds.Lock()
	defer q.adds.Unlock()
	q.tail.Load().next.Store(n)
	q.tail.Store(n)
}

// Remove takes what is first, false if there is nothing.
func (q *Queue) Remove() (int, bool) {
	next := q.head.Load().next.Load()
	if next == nil {
		return 0, false
	}
	pause()
	q.head.Store(next) // another goroutine may have read the same node
	return next.value, true
}

// pause does nothing, but for tests.
var pause = func() {}
