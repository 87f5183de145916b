// Package looping has a loop that comes back to where it was.
package looping

import "sync"

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  int
}

// Inc counts, but once only.
func (c *Counter) Inc(v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	for x := v; c.n > 1 && x != 100; x = -x {
	}
}
