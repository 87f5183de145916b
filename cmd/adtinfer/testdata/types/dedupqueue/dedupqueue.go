// Package dedupqueue is a queue in which nothing waits twice.
package dedupqueue

import "sync"

// Queue is ready for use.
type Queue struct {
	mu      sync.Mutex
	waiting map[string]bool
	order   []string
}

// New returns an empty queue.
func New() *Queue { return &Queue{waiting: map[string]bool{}} }

// Add adds a key, unless it waits already.
func (q *Queue) Add(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting[key] {
		return
	}
	q.waiting[key] = true
	q.order = append(q.order, key)
}

// Get takes the key that has waited for longest.
func (q *Queue) Get() (string, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.order) == 0 {
		return "", false
	}
	key := q.order[0]
	q.order = q.order[1:]
	delete(q.waiting, key)
	return key, true
}
