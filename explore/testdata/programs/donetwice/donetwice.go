// Package donetwice ends what it has not begun, if two callers do it at once.
package donetwice

import (
	"sync"
	"sync/atomic"
)

// Job is begun, and ended.
type Job struct {
	wg   sync.WaitGroup
	runs atomic.Bool
}

// Begin begins it, unless it has begun.
func (j *Job) Begin() bool {
	if !j.runs.CompareAndSwap(false, true) {
		return false
	}
	j.wg.Add(1)
	return true
}

// End ends it, unless it does not run.
func (j *Job) End() bool {
	if !j.runs.Load() {
		return false
	}
	j.runs.Store(false)
	j.wg.Done()
	return true
}
