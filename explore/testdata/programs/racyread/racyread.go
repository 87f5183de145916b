// Package racyread has a counter that is read without its lock.
package racyread

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Inc adds one.
func (c *Counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

// Get answers how many there are.
func (c *Counter) Get() int { return c.n }
