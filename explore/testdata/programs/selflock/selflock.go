// Package selflock takes a lock that it holds: an operation never ends.
package selflock

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.Get()
}

// Get answers how many there are.
func (c *Counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
