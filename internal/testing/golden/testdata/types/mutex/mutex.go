// Package mutex is a lock that is taken or not, without waiting.
package mutex

// Mutex is free at first.
type Mutex struct {
	locked bool
}

// TryLock takes the lock and reports whether it was free.
func (m *Mutex) TryLock() bool {
	if m.locked {
		return false
	}
	m.locked = true
	return true
}

// Unlock frees the lock. It panics if nobody holds it.
func (m *Mutex) Unlock() {
	if !m.locked {
		panic("mutex: unlock of unlocked mutex")
	}
	m.locked = false
}
