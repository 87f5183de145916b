// Package mutex is a lock that nobody waits for.
package mutex

import "sync"

// Mutex is held or free. The zero Mutex is free.
type Mutex struct {
	mu   sync.Mutex
	held bool
}

// TryLock takes the lock if it is free, and reports whether it did.
func (m *Mutex) TryLock() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held {
		return false
	}
	m.held = true
	return true
}

// Unlock frees the lock, whoever holds it. It panics if nobody does.
func (m *Mutex) Unlock() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.held {
		panic("mutex: unlock of a free mutex")
	}
	m.held = false
}
