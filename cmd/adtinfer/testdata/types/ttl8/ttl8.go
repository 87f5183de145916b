// Package ttl8 is a cache whose entries live for eight ticks.
package ttl8

import "sync"

const lifetime = 8

type entry struct{ value, expires int }

// Cache is empty at first.
type Cache struct {
	mu      sync.Mutex
	now     int
	entries map[string]entry
}

// New returns an empty cache.
func New() *Cache { return &Cache{entries: map[string]entry{}} }

// Put keeps a value from now on for eight ticks.
func (c *Cache) Put(key string, value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = entry{value, c.now + lifetime}
}

// Get returns a value that has not expired.
func (c *Cache) Get(key string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	if !ok || c.now >= e.expires {
		return 0, false
	}
	return e.value, true
}

// Tick moves the clock.
func (c *Cache) Tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now++
}
