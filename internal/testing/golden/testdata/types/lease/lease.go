// Package lease grants a lease to one client, until it expires.
package lease

import (
	"errors"
	"sync"
)

// ErrNotHolder says that somebody else, or nobody, holds the lease.
var ErrNotHolder = errors.New("lease: not the holder")

// Lease has no holder at first.
type Lease struct {
	mu     sync.Mutex
	holder string
}

// Grant gives the lease to client if nobody has it.
func (l *Lease) Grant(client string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holder != "" {
		return false
	}
	l.holder = client
	return true
}

// Renew confirms that client holds the lease.
func (l *Lease) Renew(client string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holder != client {
		return ErrNotHolder
	}
	return nil
}

// Expire ends the lease.
func (l *Lease) Expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holder = ""
}

// Holder returns who holds the lease, "" if nobody does.
func (l *Lease) Holder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holder
}
