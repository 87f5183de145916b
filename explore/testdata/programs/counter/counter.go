// Package counter has a counter that loses nothing.
package counter

import "sync/atomic"

// Counter counts.
type Counter struct{ n atomic.Int64 }

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int64 {
	for {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+1) {
			return n + 1
		}
	}
}

// Get answers how many there are.
func (c *Counter) Get() int64 { return c.n.Load() }
