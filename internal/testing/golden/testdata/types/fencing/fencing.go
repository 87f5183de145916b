// Package fencing is a lock whose holders prove by a token that they still hold it.
package fencing

import (
	"errors"
	"sync"
)

// Errors of a lock.
var (
	ErrHeld  = errors.New("fencing: held by somebody else")
	ErrStale = errors.New("fencing: stale token")
)

// Lock gives out growing tokens.
type Lock struct {
	mu    sync.Mutex
	token int64
	held  bool
}

// Acquire takes the lock and returns a token.
func (l *Lock) Acquire() (token int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held {
		return 0, ErrHeld
	}
	l.token++
	l.held = true
	return l.token, nil
}

// Check reports whether a token is the holder's.
func (l *Lock) Check(token int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held && l.token == token
}

// Release frees the lock.
func (l *Lock) Release(token int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held || l.token != token {
		return ErrStale
	}
	l.held = false
	return nil
}
