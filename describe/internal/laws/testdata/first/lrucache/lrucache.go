package lrucache

import "slices"

// Cache keeps at most a fixed number of entries and evicts the one that was
// used longest ago.
type Cache[K comparable, V any] struct {
	capacity int
	values   map[K]V
	order    []K // least recently used first
	hits     int
	misses   int
}

// New returns an empty cache. A capacity below one is treated as one.
func New[K comparable, V any](capacity int) *Cache[K, V] {
	if capacity < 1 {
		capacity = 1
	}
	return &Cache[K, V]{capacity: capacity, values: make(map[K]V)}
}

func (c *Cache[K, V]) touch(key K) {
	if i := slices.Index(c.order, key); i >= 0 {
		c.order = slices.Delete(c.order, i, i+1)
	}
	c.order = append(c.order, key)
}

// Get returns the value for key and marks it as recently used.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	v, ok := c.values[key]
	if !ok {
		c.misses++
		return v, false
	}
	c.hits++
	c.touch(key)
	return v, true
}

// Put stores a value and reports whether another entry had to be evicted.
func (c *Cache[K, V]) Put(key K, value V) bool {
	evicted := false
	if _, ok := c.values[key]; !ok && len(c.values) == c.capacity {
		delete(c.values, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
		evicted = true
	}
	c.values[key] = value
	c.touch(key)
	return evicted
}

// Remove drops key and reports whether it was present.
func (c *Cache[K, V]) Remove(key K) bool {
	i := slices.Index(c.order, key)
	if i < 0 {
		return false
	}
	c.order = slices.Delete(c.order, i, i+1)
	delete(c.values, key)
	return true
}

// Keys lists the keys, least recently used first.
func (c *Cache[K, V]) Keys() []K { return slices.Clone(c.order) }

// Len returns the number of entries.
func (c *Cache[K, V]) Len() int { return len(c.values) }

// Stats returns how often Get found and did not find a key.
func (c *Cache[K, V]) Stats() (hits, misses int) { return c.hits, c.misses }
