// Package tally has operations that wait for another one, at which all of them take effect.
package tally

import "sync/atomic"

// Tally counts those who have waited for the last Fire.
type Tally struct{ generation atomic.Int32 }

// New makes a Tally.
func New() *Tally { return &Tally{} }

// Wait waits for the next Fire.
//
//lin:receive after fired() in waiting: wait(); goto served
func (t *Tally) Wait() {
	now := t.generation.Load() //lin: goto waiting
	for t.generation.Load() == now {
	}
}

// Fire lets all go on that wait.
func (t *Tally) Fire() {
	t.generation.Store(1 - t.generation.Load())
	//lin: fire(); broadcast fired()
}
