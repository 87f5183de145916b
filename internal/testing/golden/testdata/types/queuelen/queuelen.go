// Package queuelen is a queue that knows its length.
package queuelen

// Queue is first in, first out.
type Queue struct {
	items []string
}

// Push appends an item.
func (q *Queue) Push(item string) {
	q.items = append(q.items, item)
}

// Pop removes the first item.
func (q *Queue) Pop() (string, bool) {
	if len(q.items) == 0 {
		return "", false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}

// Len returns the number of items.
func (q *Queue) Len() int {
	return len(q.items)
}
