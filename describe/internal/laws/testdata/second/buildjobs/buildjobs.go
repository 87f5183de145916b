// Package buildjobs is the job board of a build server.
package buildjobs

import "fmt"

// Status says how far a job has come.
type Status int

// Job statuses.
const (
	Unknown Status = iota
	Queued
	Running
	Passed
	Failed
)

type job struct {
	name     string
	status   Status
	attempts int
}

// Board holds jobs in the order they were queued.
type Board struct {
	maxAttempts int
	jobs        []*job
}

// NewBoard returns an empty board on which a job may be started at most
// maxAttempts times.
func NewBoard(maxAttempts int) *Board {
	return &Board{maxAttempts: maxAttempts}
}

func (b *Board) get(id int) *job {
	if id < 1 || id > len(b.jobs) {
		return nil
	}
	return b.jobs[id-1]
}

// Queue adds a job and returns its id. Ids start at 1.
func (b *Board) Queue(name string) int {
	b.jobs = append(b.jobs, &job{name: name, status: Queued})
	return len(b.jobs)
}

// Start moves the oldest queued job to Running.
func (b *Board) Start() (id int, name string, ok bool) {
	for i, j := range b.jobs {
		if j.status == Queued {
			j.status = Running
			j.attempts++
			return i + 1, j.name, true
		}
	}
	return 0, "", false
}

// Finish ends a running job. An unsuccessful job goes back to the queue until
// its attempts are used up.
func (b *Board) Finish(id int, success bool) error {
	j := b.get(id)
	if j == nil {
		return fmt.Errorf("buildjobs: no job %d", id)
	}
	if j.status != Running {
		return fmt.Errorf("buildjobs: job %d is not running", id)
	}
	switch {
	case success:
		j.status = Passed
	case j.attempts < b.maxAttempts:
		j.status = Queued
	default:
		j.status = Failed
	}
	return nil
}

// Status returns the status of a job, or Unknown.
func (b *Board) Status(id int) Status {
	if j := b.get(id); j != nil {
		return j.status
	}
	return Unknown
}
