// Package lru8 is a small cache that forgets what was not used for longest.
package lru8

const size = 8

type entry struct{ key, value int }

// Cache holds up to eight entries, the one used last in front.
type Cache struct{ entries []entry }

// New returns an empty cache.
func New() *Cache { return &Cache{} }

// Get returns the value of a key and marks it as used.
func (c *Cache) Get(key int) (int, bool) {
	for i, e := range c.entries {
		if e.key == key {
			copy(c.entries[1:i+1], c.entries[:i])
			c.entries[0] = e
			return e.value, true
		}
	}
	return 0, false
}

// Put sets the value of a key and marks it as used.
func (c *Cache) Put(key, value int) {
	if _, ok := c.Get(key); ok {
		c.entries[0].value = value
		return
	}
	if len(c.entries) == size {
		c.entries = c.entries[:size-1]
	}
	c.entries = append([]entry{{key, value}}, c.entries...)
}
