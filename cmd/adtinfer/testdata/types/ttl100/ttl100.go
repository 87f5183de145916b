// Package ttl100 is a DNS cache with a logical clock.
package ttl100

import (
	"errors"
	"sync"
)

// ErrMiss says that a name is not cached or has expired.
var ErrMiss = errors.New("ttl100: miss")

type record struct {
	addr string
	born uint64
}

// Cache keeps addresses for a hundred ticks.
type Cache struct {
	mu      sync.Mutex
	clock   uint64
	records map[string]record
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{records: make(map[string]record)} }

// Store caches the address of a name.
func (c *Cache) Store(name, addr string) {
	c.mu.Lock()
	c.records[name] = record{addr, c.clock}
	c.mu.Unlock()
}

// Resolve returns the cached address of a name.
func (c *Cache) Resolve(name string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.records[name]
	if !ok || c.clock-r.born >= 100 {
		return "", ErrMiss
	}
	return r.addr, nil
}

// Advance moves the clock by one tick.
func (c *Cache) Advance() {
	c.mu.Lock()
	c.clock++
	c.mu.Unlock()
}
