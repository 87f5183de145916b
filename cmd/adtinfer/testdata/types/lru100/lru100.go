// Package lru100 is a generic cache by least recent use.
package lru100

import "sync"

type node[K comparable, V any] struct {
	key        K
	value      V
	prev, next *node[K, V]
}

// LRU keeps a hundred entries.
type LRU[K comparable, V any] struct {
	mu    sync.Mutex
	nodes map[K]*node[K, V]
	ends  node[K, V] // ends.next was used last
}

// New returns an empty cache.
func New[K comparable, V any]() *LRU[K, V] {
	c := &LRU[K, V]{nodes: make(map[K]*node[K, V])}
	c.ends.prev, c.ends.next = &c.ends, &c.ends
	return c
}

func (c *LRU[K, V]) unlink(n *node[K, V]) { n.prev.next, n.next.prev = n.next, n.prev }

func (c *LRU[K, V]) toFront(n *node[K, V]) {
	n.prev, n.next = &c.ends, c.ends.next
	n.prev.next, n.next.prev = n, n
}

// Get returns the value of a key.
func (c *LRU[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.nodes[key]
	if !ok {
		return value, false
	}
	c.unlink(n)
	c.toFront(n)
	return n.value, true
}

// Put sets the value of a key.
func (c *LRU[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.nodes[key]; ok {
		n.value = value
		c.unlink(n)
		c.toFront(n)
		return
	}
	if len(c.nodes) == 100 {
		oldest := c.ends.prev
		c.unlink(oldest)
		delete(c.nodes, oldest.key)
	}
	n := &node[K, V]{key: key, value: value}
	c.nodes[key] = n
	c.toFront(n)
}
