// Package counter counts up and down.
package counter

import "sync"

// Counter is a number. The zero Counter is 0.
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

// Dec takes one away, and returns what is left.
func (c *Counter) Dec() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n--
	return c.n
}

// Value returns the number.
func (c *Counter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
