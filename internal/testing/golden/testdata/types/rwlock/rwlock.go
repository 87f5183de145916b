// Package rwlock is a lock for one writer or many readers, without waiting.
package rwlock

// RWLock is free at first.
type RWLock struct {
	readers int
	writer  bool
}

// TryRLock lets a reader in unless there is a writer.
func (l *RWLock) TryRLock() bool {
	if l.writer {
		return false
	}
	l.readers++
	return true
}

// RUnlock lets a reader out.
func (l *RWLock) RUnlock() {
	if l.readers == 0 {
		panic("rwlock: RUnlock of unlocked RWLock")
	}
	l.readers--
}

// TryLock lets a writer in if nobody is there.
func (l *RWLock) TryLock() bool {
	if l.writer || l.readers > 0 {
		return false
	}
	l.writer = true
	return true
}

// Unlock lets the writer out.
func (l *RWLock) Unlock() {
	if !l.writer {
		panic("rwlock: Unlock of unlocked RWLock")
	}
	l.writer = false
}
