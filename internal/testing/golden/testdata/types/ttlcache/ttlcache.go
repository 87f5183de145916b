// Package ttlcache is a cache whose entries live for two ticks.
package ttlcache

const lifetime = 2

// Cache maps keys to values for a while.
type Cache struct {
	now     int
	entries map[string]entry
}

type entry struct {
	value   string
	expires int
}

// New returns an empty cache.
func New() *Cache {
	return &Cache{entries: map[string]entry{}}
}

// Set stores a value, from now on for two ticks.
func (c *Cache) Set(key, value string) {
	c.entries[key] = entry{value, c.now + lifetime}
}

// Get returns a value that did not expire.
func (c *Cache) Get(key string) (string, bool) {
	e, ok := c.entries[key]
	if !ok || e.expires <= c.now {
		return "", false
	}
	return e.value, true
}

// Tick lets time pass.
func (c *Cache) Tick() {
	c.now++
	for key, e := range c.entries {
		if e.expires <= c.now {
			delete(c.entries, key)
		}
	}
}
