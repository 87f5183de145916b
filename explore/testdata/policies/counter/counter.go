// Package counter is a counter in an atomic word.
package counter

import "sync/atomic"

//lin:invariant c.n.Load() >= 0
type Counter struct{ n atomic.Int64 }

func New() *Counter { return &Counter{} }

func (c *Counter) Inc() int {
	n := c.n.Add(1)
	//lin: inc() = int(n)
	return int(n)
}

func (c *Counter) Get() int {
	n := c.n.Load()
	//lin: get() = int(n)
	return int(n)
}
