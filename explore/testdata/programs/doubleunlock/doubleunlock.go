// Package doubleunlock gives a lock back twice, if another one was faster.
package doubleunlock

import (
	"sync"
	"sync/atomic"
)

// Counter counts.
type Counter struct {
	mu sync.Mutex
	n  atomic.Int64
}

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int64 {
	before := c.n.Load()
	c.mu.Lock()
	n := before + 1
	if c.n.Load() == before {
		c.n.Store(n)
	} else {
		c.mu.Unlock()
		n = c.n.Add(1)
	}
	c.mu.Unlock()
	return n
}
