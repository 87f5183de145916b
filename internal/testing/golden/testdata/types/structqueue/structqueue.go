// Package structqueue is a queue of jobs.
package structqueue

// Job is what is to be done, and for whom.
type Job struct {
	ID      int
	Command string
	Args    []string
}

// Queue holds jobs in the order of their submission.
type Queue struct {
	jobs []Job
}

// Submit adds a job.
func (q *Queue) Submit(job Job) {
	q.jobs = append(q.jobs, job)
}

// Next removes the oldest job; ok is false if there is none.
func (q *Queue) Next() (job Job, ok bool) {
	if len(q.jobs) == 0 {
		return Job{}, false
	}
	job, q.jobs = q.jobs[0], q.jobs[1:]
	return job, true
}
