// Package lostupdate has a counter that loses increments.
package lostupdate

import "sync/atomic"

// Counter counts.
type Counter struct{ n atomic.Int64 }

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int64 {
	n := c.n.Load() + 1
	c.n.Store(n) // what others have added since is gone
	return n
}
