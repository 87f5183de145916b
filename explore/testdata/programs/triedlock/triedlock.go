// Package triedlock is a counter that gives up if its lock is taken, and touches nothing then.
package triedlock

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// TryInc counts, or returns false if the counter is busy.
func (c *Counter) TryInc() bool {
	if !c.mu.TryLock() {
		return false
	}
	defer c.mu.Unlock()
	c.n++
	return true
}

// Get is the count.
func (c *Counter) Get() int {
	for !c.mu.TryLock() {
	}
	defer c.mu.Unlock()
	return c.n
}
