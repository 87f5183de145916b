// Package jobs is a queue of structs.
package jobs

import "sync"

// Job is a piece of work.
type Job struct {
	ID   int
	Name string
}

// Queue is first in, first out.
type Queue struct {
	mu   sync.Mutex
	jobs []Job
}

// New returns a queue without jobs.
func New() *Queue { return &Queue{} }

// Submit adds a job.
func (q *Queue) Submit(j Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, j)
}

// Next takes the oldest job.
func (q *Queue) Next() (Job, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return Job{}, false
	}
	j := q.jobs[0]
	q.jobs = q.jobs[1:]
	return j, true
}
