// Package bounded is a queue with a capacity.
package bounded

// Queue refuses what it has no room for.
type Queue struct {
	items    []int
	capacity int
}

// New makes a queue for at most capacity items.
func New(capacity int) *Queue {
	return &Queue{capacity: capacity}
}

// Offer adds an item at the end, if there is room.
func (q *Queue) Offer(item int) bool {
	if len(q.items) >= q.capacity {
		return false
	}
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
