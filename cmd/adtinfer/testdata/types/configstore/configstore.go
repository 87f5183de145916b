// Package configstore changes settings only if nobody else did meanwhile.
package configstore

import "sync"

// Config maps settings to values.
type Config struct {
	mu     sync.Mutex
	values map[string]int
}

// New returns a configuration without settings.
func New() *Config { return &Config{values: map[string]int{}} }

// Get returns a setting.
func (c *Config) Get(key string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

// Set makes or replaces a setting.
func (c *Config) Set(key string, value int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = value
}

// CompareAndSwap replaces a setting that has the value old.
func (c *Config) CompareAndSwap(key string, old, new int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.values[key]; !ok || v != old {
		return false
	}
	c.values[key] = new
	return true
}
