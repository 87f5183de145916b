// Package changedafter announces memory by an atomic pointer before it has written
// all of it.
package changedafter

import "sync/atomic"

// Cell holds two numbers that belong together.
type Cell struct{ p atomic.Pointer[pair] }

type pair struct{ a, b int }

// Put writes both numbers.
func (c *Cell) Put(v int) {
	p := &pair{a: v}
	c.p.Store(p)
	p.b = -v
}

// Get reads them.
func (c *Cell) Get() (a, b int) {
	if p := c.p.Load(); p != nil {
		return p.a, p.b
	}
	return 0, 0
}
