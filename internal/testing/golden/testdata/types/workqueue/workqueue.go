// Package workqueue hands out jobs, which must be acknowledged.
package workqueue

import "errors"

// ErrUnknown says that a job is not being worked on.
var ErrUnknown = errors.New("workqueue: unknown job")

// Queue has jobs that wait, and jobs that are worked on.
type Queue struct {
	waiting []delivery
	working map[int]delivery
	lastID  int
}

type delivery struct {
	id      int
	payload string
}

// New makes an empty queue.
func New() *Queue {
	return &Queue{working: map[int]delivery{}}
}

// Enqueue adds a job and returns its id.
func (q *Queue) Enqueue(payload string) (id int) {
	q.lastID++
	q.waiting = append(q.waiting, delivery{q.lastID, payload})
	return q.lastID
}

// Take returns the job that waits for longest.
func (q *Queue) Take() (id int, payload string, ok bool) {
	if len(q.waiting) == 0 {
		return 0, "", false
	}
	d := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.working[d.id] = d
	return d.id, d.payload, true
}

// Ack says that a job is done.
func (q *Queue) Ack(id int) error {
	if _, ok := q.working[id]; !ok {
		return ErrUnknown
	}
	delete(q.working, id)
	return nil
}

// Nack gives a job back; it comes next.
func (q *Queue) Nack(id int) error {
	d, ok := q.working[id]
	if !ok {
		return ErrUnknown
	}
	delete(q.working, id)
	q.waiting = append([]delivery{d}, q.waiting...)
	return nil
}
