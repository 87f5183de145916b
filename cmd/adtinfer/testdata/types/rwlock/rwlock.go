// Package rwlock has a readers-writer lock that does not wait.
package rwlock

import "sync"

// RWLock admits many readers or one writer.
type RWLock struct {
	mu      sync.Mutex
	readers int
	writing bool
}

// TryRLock takes the lock for reading.
func (l *RWLock) TryRLock() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writing {
		return false
	}
	l.readers++
	return true
}

// RUnlock undoes one successful TryRLock.
func (l *RWLock) RUnlock() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers == 0 {
		return false
	}
	l.readers--
	return true
}

// TryLock takes the lock for writing.
func (l *RWLock) TryLock() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writing || l.readers > 0 {
		return false
	}
	l.writing = true
	return true
}

// Unlock undoes a successful TryLock.
func (l *RWLock) Unlock() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.writing
	l.writing = false
	return was
}
