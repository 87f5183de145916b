// Package fifo is a plain queue.
package fifo

// Queue is first in, first out.
type Queue struct {
	items []int
}

// Enqueue appends an item.
func (q *Queue) Enqueue(item int) {
	q.items = append(q.items, item)
}

// Dequeue removes the first item.
func (q *Queue) Dequeue() (int, bool) {
	if len(q.items) == 0 {
		return 0, false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}
