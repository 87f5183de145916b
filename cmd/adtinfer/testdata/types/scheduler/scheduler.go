// Package scheduler runs each task once, the oldest first, unless it was cancelled.
package scheduler

import (
	"slices"
	"sync"
)

// TaskID identifies a task.
type TaskID int

// Scheduler has no tasks at first.
type Scheduler struct {
	mu    sync.Mutex
	tasks []TaskID
}

// New returns a scheduler without tasks.
func New() *Scheduler { return &Scheduler{} }

// Schedule adds a task; false if it is scheduled already.
func (s *Scheduler) Schedule(id TaskID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.tasks, id) {
		return false
	}
	s.tasks = append(s.tasks, id)
	return true
}

// Cancel removes a task; false if it is not scheduled.
func (s *Scheduler) Cancel(id TaskID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.tasks, id)
	if i < 0 {
		return false
	}
	s.tasks = slices.Delete(s.tasks, i, i+1)
	return true
}

// RunNext returns the task to run now.
func (s *Scheduler) RunNext() (TaskID, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tasks) == 0 {
		return 0, false
	}
	id := s.tasks[0]
	s.tasks = s.tasks[1:]
	return id, true
}
