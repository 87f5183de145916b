// Package crashes starts a goroutine that fails if two of them are there.
package crashes

import "sync/atomic"

// Job is done by one goroutine at a time, it is hoped.
type Job struct{ running atomic.Int32 }

// Start starts it.
func (j *Job) Start() {
	go func() {
		if j.running.Add(1) > 1 {
			panic("two at once")
		}
		j.running.Add(-1)
	}()
}
