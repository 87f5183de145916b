// Package condqueue is a queue whose consumers wait.
package condqueue

import "sync"

// Queue is first in, first out.
type Queue struct {
	mu       sync.Mutex
	nonEmpty *sync.Cond
	items    []string
}

// New makes an empty queue.
func New() *Queue {
	q := &Queue{}
	q.nonEmpty = sync.NewCond(&q.mu)
	return q
}

// Put appends an item.
func (q *Queue) Put(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.nonEmpty.Signal()
}

// Take removes the first item. It waits until there is one.
func (q *Queue) Take() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.nonEmpty.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}
