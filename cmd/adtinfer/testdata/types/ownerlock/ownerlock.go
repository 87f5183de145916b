// Package ownerlock has a lock that knows who holds it.
package ownerlock

import "sync"

// Owner identifies a client.
type Owner string

// Lock is held by at most one owner at a time.
type Lock struct {
	mu   sync.Mutex
	held bool
	by   Owner
}

// New returns a free lock.
func New() *Lock { return &Lock{} }

// Acquire takes the lock for an owner, unless somebody (even the same owner) holds it.
func (l *Lock) Acquire(o Owner) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held {
		return false
	}
	l.held, l.by = true, o
	return true
}

// Release gives the lock back, if the owner holds it.
func (l *Lock) Release(o Owner) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held || l.by != o {
		return false
	}
	l.held = false
	return true
}
