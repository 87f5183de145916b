// Package lengthtold is a cell that tells by the length of a channel that it is set: that orders nothing.
package lengthtold

import "sync"

// Cell is set once.
type Cell struct {
	mu    sync.Mutex
	set   bool
	v     int
	ready chan struct{}
}

// New makes a cell.
func New() *Cell { return &Cell{ready: make(chan struct{}, 1)} }

// Set sets the cell, unless it is set.
func (c *Cell) Set(v int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set {
		return false
	}
	c.set, c.v = true, v
	c.ready <- struct{}{}
	return true
}

// Get reads the cell, 0 if it is not set.
func (c *Cell) Get() int {
	if len(c.ready) == 1 {
		return c.v
	}
	return 0
}
