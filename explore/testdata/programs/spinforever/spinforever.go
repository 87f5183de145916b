// Package spinforever forgets to give its lock back, if it has counted to two.
package spinforever

import (
	"runtime"
	"sync/atomic"
)

// Counter counts.
type Counter struct {
	held atomic.Bool
	n    atomic.Int64
}

// Inc adds one.
func (c *Counter) Inc() {
	before := c.n.Load()
	for !c.held.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
	if c.n.Add(1) == before+2 { // another one has been here meanwhile
		return
	}
	c.held.Store(false)
}
