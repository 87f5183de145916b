// Package loose has directives that take effect where nobody sees it, or never.
package loose

import "sync/atomic"

// Counter counts.
type Counter struct{ n, step atomic.Int64 }

// New makes a Counter that counts in ones.
func New() *Counter {
	c := &Counter{}
	c.step.Store(1)
	return c
}

// Add counts, and returns the count.
func (c *Counter) Add() int64 {
	n := c.n.Add(c.step.Load())
	//lin: add() = n
	if n > 1000 {
		//lin: add() = 0
		return 0
	}
	return n
}

// Step returns by how much it counts.
func (c *Counter) Step() int64 {
	n := c.step.Load()
	//lin: step() = n
	return n
}
