// Package nilpointer reads a pointer twice.
package nilpointer

import "sync/atomic"

// Cell holds a number, or none.
type Cell struct{ p atomic.Pointer[int] }

// Put writes a number.
func (c *Cell) Put(v int) { c.p.Store(&v) }

// Clear takes the number out.
func (c *Cell) Clear() { c.p.Store(nil) }

// Get reads the number if there is one.
func (c *Cell) Get() (int, bool) {
	if c.p.Load() == nil {
		return 0, false
	}
	return *c.p.Load(), true
}
