// Package tryqueue is a queue whose lock-free sibling gives up when there is
// contention: its Offer and Poll may fail for no reason that a caller sees.
package tryqueue

// Queue is first in, first out.
type Queue struct {
	items []int
}

// New makes an empty queue.
func New() *Queue { return new(Queue) }

// Offer appends an item.
func (q *Queue) Offer(item int) bool {
	q.items = append(q.items, item)
	return true
}

// Poll removes the first item.
func (q *Queue) Poll() (int, bool) {
	if len(q.items) == 0 {
		return 0, false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}
