// Package lru is the cache of github.com/hashicorp/golang-lru.
package lru

import lru "github.com/hashicorp/golang-lru/v2"

// Cache holds two entries at most.
type Cache struct{ c *lru.Cache[int, int] }

// New makes an empty Cache.
func New() (*Cache, error) {
	c, err := lru.New[int, int](2)
	return &Cache{c}, err
}

// Add writes an entry, and reports whether another one had to go.
func (c *Cache) Add(k int) bool { return c.c.Add(k, -k) }

// Get reads an entry, which makes it the last to go.
func (c *Cache) Get(k int) (int, bool) { return c.c.Get(k) }

// Oldest takes the entry out that is the next to go.
func (c *Cache) Oldest() (int, bool) {
	k, _, ok := c.c.RemoveOldest()
	return k, ok
}
