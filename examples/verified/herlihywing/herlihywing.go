// Package herlihywing is a queue in an array: who adds takes the next slot, whatever
// the others do, and who removes looks through the slots from the first one on
// ("Linearizability: a correctness condition for concurrent objects" §4.2). No step of
// an Enqueue says where it takes effect: which of two comes first may be open until one
// of the values has left.
package herlihywing

import (
	"runtime"
	"sync/atomic"
)

// Room is how many values may be added to a Queue in all: slots are not used again.
const Room = 64

// Queue is a FIFO queue of integers. Its methods may be called by any goroutine.
type Queue struct {
	back  atomic.Int64 // how many slots are taken
	slots [Room]atomic.Pointer[int]
}

// New makes an empty Queue.
func New() *Queue { return &Queue{} }

// Enqueue adds v at the end. It waits for nobody, and panics if there is no room left.
func (q *Queue) Enqueue(v int) {
	i := q.back.Add(1) - 1
	q.slots[i].Store(&v)
}

// Dequeue takes the value at the front. It waits until there is one, for it cannot tell
// that there is none: what is not found may have come, and something else left, since
// Dequeue began to look.
func (q *Queue) Dequeue() int {
	for {
		back := min(q.back.Load(), Room) // who looks beyond may take a value before an older one
		for i := range back {
			if v := q.slots[i].Swap(nil); v != nil {
				return *v
			}
		}
		runtime.Gosched()
	}
}
