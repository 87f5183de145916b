// Package syncmapcount looks into a sync.Map, and writes what it should have seen.
package syncmapcount

import "sync"

// Counts counts.
type Counts struct{ m sync.Map }

// Inc adds one for v, and answers how many that makes.
func (c *Counts) Inc(v int) int {
	n := 1
	if old, ok := c.m.Load(v); ok {
		n = old.(int) + 1
	}
	c.m.Store(v, n)
	return n
}
