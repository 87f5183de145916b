// Package buildcache is a least-recently-used cache for build artifacts.
package buildcache

import "slices"

// Cache keeps the most recently used artifacts by key.
type Cache[V any] struct {
	capacity int
	order    []string // least recently used first
	items    map[string]V
	hits     int
	misses   int
}

// NewCache returns a cache for at most capacity artifacts.
func NewCache[V any](capacity int) *Cache[V] {
	return &Cache[V]{capacity: capacity, items: make(map[string]V)}
}

func (c *Cache[V]) touch(key string) {
	if i := slices.Index(c.order, key); i >= 0 {
		c.order = slices.Delete(c.order, i, i+1)
	}
	c.order = append(c.order, key)
}

// Put stores an artifact. When that pushes another one out, its key is
// returned with true.
func (c *Cache[V]) Put(key string, v V) (evicted string, ok bool) {
	c.items[key] = v
	c.touch(key)
	if len(c.order) <= c.capacity {
		return "", false
	}
	evicted = c.order[0]
	c.order = c.order[1:]
	delete(c.items, evicted)
	return evicted, true
}

// Get returns an artifact and marks it as used.
func (c *Cache[V]) Get(key string) (V, bool) {
	v, ok := c.items[key]
	if !ok {
		c.misses++
		return v, false
	}
	c.hits++
	c.touch(key)
	return v, true
}

// Oldest returns the key that would be evicted next.
func (c *Cache[V]) Oldest() (string, bool) {
	if len(c.order) == 0 {
		return "", false
	}
	return c.order[0], true
}

// Stats returns the number of hits and misses so far.
func (c *Cache[V]) Stats() (hits, misses int) { return c.hits, c.misses }
