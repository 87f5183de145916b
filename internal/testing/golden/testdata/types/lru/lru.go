// Package lru is a small least-recently-used cache in a slice.
package lru

// Cache keeps the entries that were used last, the most recent one at the end.
type Cache struct {
	capacity int
	entries  []entry
}

type entry struct {
	key   string
	value int
}

// New makes a cache for capacity entries.
func New(capacity int) *Cache {
	return &Cache{capacity: capacity}
}

func (c *Cache) take(key string) (entry, bool) {
	for i, e := range c.entries {
		if e.key == key {
			c.entries = append(c.entries[:i], c.entries[i+1:]...)
			return e, true
		}
	}
	return entry{}, false
}

// Get returns the value of a key and marks it as used.
func (c *Cache) Get(key string) (int, bool) {
	e, ok := c.take(key)
	if ok {
		c.entries = append(c.entries, e)
	}
	return e.value, ok
}

// Put stores a value and drops the entry that was not used for longest.
func (c *Cache) Put(key string, value int) {
	c.take(key)
	if len(c.entries) == c.capacity {
		c.entries = c.entries[1:]
	}
	c.entries = append(c.entries, entry{key, value})
}
