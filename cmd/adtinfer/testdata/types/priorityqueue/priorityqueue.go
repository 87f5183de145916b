// Package priorityqueue hands out the least element first.
package priorityqueue

import (
	"container/heap"
	"sync"
)

type ints []int

func (h ints) Len() int           { return len(h) }
func (h ints) Less(i, j int) bool { return h[i] < h[j] }
func (h ints) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ints) Push(x any)        { *h = append(*h, x.(int)) }
func (h *ints) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// PriorityQueue is empty at first.
type PriorityQueue struct {
	mu sync.Mutex
	h  ints
}

// New returns an empty queue.
func New() *PriorityQueue { return &PriorityQueue{} }

// Push adds an element.
func (q *PriorityQueue) Push(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.h, x)
}

// PopMin removes the least element.
func (q *PriorityQueue) PopMin() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.h) == 0 {
		return 0, false
	}
	return heap.Pop(&q.h).(int), true
}
