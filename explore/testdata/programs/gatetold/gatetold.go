// Package gatetold is a cell whose gate is locked for ever once it is set: a reader that finds it locked is
// not ordered after that.
package gatetold

import "sync"

// Cell is set once.
type Cell struct {
	mu   sync.Mutex
	set  bool
	v    int
	gate sync.RWMutex
}

// Set sets the cell, unless it is set.
func (c *Cell) Set(v int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set {
		return false
	}
	c.set, c.v = true, v
	c.gate.Lock()
	return true
}

// Get reads the cell, 0 if it is not set.
func (c *Cell) Get() int {
	if c.gate.TryRLock() {
		c.gate.RUnlock()
		return 0
	}
	return c.v
}
