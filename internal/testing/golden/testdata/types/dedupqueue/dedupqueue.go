// Package dedupqueue is a queue in which nothing waits twice.
package dedupqueue

// Queue of keys that are to be looked at.
type Queue struct {
	order   []string
	waiting map[string]bool
}

// New makes an empty queue.
func New() *Queue {
	return &Queue{waiting: map[string]bool{}}
}

// Add appends a key unless it waits already.
func (q *Queue) Add(key string) {
	if q.waiting[key] {
		return
	}
	q.waiting[key] = true
	q.order = append(q.order, key)
}

// Next removes the first key.
func (q *Queue) Next() (string, bool) {
	if len(q.order) == 0 {
		return "", false
	}
	key := q.order[0]
	q.order = q.order[1:]
	delete(q.waiting, key)
	return key, true
}
