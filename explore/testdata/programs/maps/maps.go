// Package maps counts in a map, and forgets all of it.
package maps

import "sync"

// Counts counts by name.
type Counts struct {
	mu sync.Mutex
	m  map[key]int
}

type key struct {
	name string
	even bool
}

// New makes Counts of nothing.
func New() *Counts { return &Counts{m: make(map[key]int)} }

// Inc adds one for v, and answers how many that makes.
func (c *Counts) Inc(v int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := key{"n", v%2 == 0}
	c.m[k]++
	return c.m[k]
}

// Sum answers how many there are in all, and of how many kinds.
func (c *Counts) Sum() (sum, kinds int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.m {
		sum += n
	}
	return sum, len(c.m)
}

// Clear forgets everything.
func (c *Counts) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.m {
		delete(c.m, k)
	}
}
