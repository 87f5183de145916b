// Package published writes plain memory, and announces it by an atomic pointer:
// there is no race.
package published

import "sync/atomic"

// Cell holds two numbers that belong together.
type Cell struct{ p atomic.Pointer[pair] }

type pair struct{ a, b int }

// Put writes both numbers.
func (c *Cell) Put(v int) {
	p := &pair{a: v}
	p.b = -v
	c.p.Store(p)
}

// Get reads them.
func (c *Cell) Get() (a, b int) {
	if p := c.p.Load(); p != nil {
		return p.a, p.b
	}
	return 0, 0
}
