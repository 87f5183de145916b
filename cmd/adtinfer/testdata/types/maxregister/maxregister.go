// Package maxregister remembers the highest value.
package maxregister

import "sync"

// Max holds 0 at first.
type Max struct {
	mu  sync.Mutex
	max int
}

// Update raises the maximum to v, if v is above it.
func (m *Max) Update(v int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.max = max(m.max, v)
}

// Value returns the maximum.
func (m *Max) Value() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.max
}
