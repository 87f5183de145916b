// Package lrulist is a least-recently-used cache on a linked list and a map.
package lrulist

import (
	"container/list"
	"sync"
)

// Cache is a cache of a fixed size.
type Cache struct {
	mu    sync.Mutex
	size  int
	order *list.List // of *entry, the most recent in front
	items map[string]*list.Element
}

type entry struct {
	key, value string
}

// New makes a cache of the given size.
func New(size int) *Cache {
	return &Cache{size: size, order: list.New(), items: make(map[string]*list.Element)}
}

// Get looks a key up and makes it the most recent.
func (c *Cache) Get(key string) (value string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return "", false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).value, true
}

// Add stores a value and reports whether another one was evicted.
func (c *Cache) Add(key, value string) (evicted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[key]; ok {
		c.order.MoveToFront(e)
		e.Value.(*entry).value = value
		return false
	}
	c.items[key] = c.order.PushFront(&entry{key, value})
	if c.order.Len() <= c.size {
		return false
	}
	last := c.order.Back()
	c.order.Remove(last)
	delete(c.items, last.Value.(*entry).key)
	return true
}
