// Package lostupdate has a counter that loses what another goroutine adds between its read and its write.
package lostupdate

import "sync/atomic"

// Counter counts, but not all.
type Counter struct{ n atomic.Int64 }

// Inc adds one.
func (c *Counter) Inc() {
	n := c.n.Load()
	pause()
	c.n.Store(n + 1)
}

// Get is what was counted.
func (c *Counter) Get() int { return int(c.n.Load()) }

// pause does nothing, but for tests.
var pause = func() {}
