// Package pqheap schedules tasks by priority, on container/heap.
package pqheap

import "container/heap"

// Scheduler runs urgent tasks first, and equally urgent ones in order.
type Scheduler struct {
	tasks taskHeap
	seq   int
}

type task struct {
	name          string
	priority, seq int
}

type taskHeap []*task

func (h taskHeap) Len() int { return len(h) }
func (h taskHeap) Less(i, j int) bool {
	if h[i].priority != h[j].priority {
		return h[i].priority > h[j].priority
	}
	return h[i].seq < h[j].seq
}
func (h taskHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *taskHeap) Push(x any)   { *h = append(*h, x.(*task)) }
func (h *taskHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = (*h)[:last]
	return t
}

// Schedule adds a task.
func (s *Scheduler) Schedule(name string, priority int) {
	s.seq++
	heap.Push(&s.tasks, &task{name, priority, s.seq})
}

// Next removes the most urgent task.
func (s *Scheduler) Next() (name string, priority int, ok bool) {
	if len(s.tasks) == 0 {
		return "", 0, false
	}
	t := heap.Pop(&s.tasks).(*task)
	return t.name, t.priority, true
}
