// Package lru16 is a cache of pages by least recent use.
package lru16

import (
	"container/list"
	"sync"
)

const capacity = 16

// Page is a page number.
type Page uint32

type item struct {
	page Page
	data string
}

// Cache keeps sixteen pages.
type Cache struct {
	mu    sync.Mutex
	order *list.List // most recently used first
	items map[Page]*list.Element
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{order: list.New(), items: map[Page]*list.Element{}}
}

// Lookup returns the data of a page.
func (c *Cache) Lookup(p Page) (data string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[p]
	if !ok {
		return "", false
	}
	c.order.MoveToFront(e)
	return e.Value.(*item).data, true
}

// Insert keeps the data of a page and evicts another page if need be.
func (c *Cache) Insert(p Page, data string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.items[p]; ok {
		e.Value.(*item).data = data
		c.order.MoveToFront(e)
		return
	}
	c.items[p] = c.order.PushFront(&item{p, data})
	if c.order.Len() > capacity {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.items, last.Value.(*item).page)
	}
}
