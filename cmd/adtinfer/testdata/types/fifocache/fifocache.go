// Package fifocache is a cache that forgets what was put in first.
package fifocache

import "sync"

// Cache holds up to eight entries.
type Cache struct {
	mu     sync.Mutex
	values map[string]int
	order  []string
}

// New returns an empty cache.
func New() *Cache { return &Cache{values: map[string]int{}} }

// Get returns the value of a key.
func (c *Cache) Get(key string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

// Set sets the value of a key; a new key may push the oldest one out.
func (c *Cache) Set(key string, value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[key]; !ok {
		if len(c.order) == 8 {
			delete(c.values, c.order[0])
			c.order = c.order[1:]
		}
		c.order = append(c.order, key)
	}
	c.values[key] = value
}
