// Package mutex has a lock that does not wait.
package mutex

import "sync"

// Mutex is unlocked at first.
type Mutex struct {
	mu     sync.Mutex
	locked bool
}

// TryLock locks m and reports whether it succeeded.
func (m *Mutex) TryLock() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locked {
		return false
	}
	m.locked = true
	return true
}

// Unlock unlocks m. It panics if m is not locked.
func (m *Mutex) Unlock() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.locked {
		panic("mutex: unlock of unlocked mutex")
	}
	m.locked = false
}
