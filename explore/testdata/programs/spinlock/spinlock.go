// Package spinlock is a lock that its user spins on, around a counter.
package spinlock

import (
	"runtime"
	"sync/atomic"
)

// Counter counts.
type Counter struct {
	held atomic.Bool
	n    int
}

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int {
	for !c.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	c.n++
	n := c.n
	c.held.Store(false)
	return n
}
