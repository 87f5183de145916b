// Package rlockwrite writes behind a lock for readers.
package rlockwrite

import "sync"

// Cache counts how often it is read.
type Cache struct {
	mu   sync.RWMutex
	hits int
	v    int
}

// Set writes the number.
func (c *Cache) Set(v int) {
	c.mu.Lock()
	c.v = v
	c.mu.Unlock()
}

// Get reads the number.
func (c *Cache) Get() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	c.hits++
	return c.v
}
