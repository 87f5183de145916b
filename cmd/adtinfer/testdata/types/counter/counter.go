// Package counter counts.
package counter

import "sync/atomic"

// Counter is 0 at first.
type Counter struct{ n atomic.Int64 }

// Inc adds one.
func (c *Counter) Inc() { c.n.Add(1) }

// Dec takes one away.
func (c *Counter) Dec() { c.n.Add(-1) }

// Value returns the count.
func (c *Counter) Value() int64 { return c.n.Load() }
