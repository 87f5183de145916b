// Package lock is a reference implementation of a lock that is taken with a
// key and says who holds it.
package lock

import (
	"sync"

	"github.com/adtinfer/adtinfer/reference"
)

// Lock is held by at most one key. The zero Lock is free.
//
// Every method returns the key that held the lock when it was called, or false
// if it was free.
type Lock struct {
	mu     sync.Mutex
	holder int
	held   bool
}

// Lock takes the lock with a key unless another key holds it.
func (l *Lock) Lock(key int) (holder int, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held {
		return l.holder, true
	}
	l.holder, l.held = key, true
	return 0, false
}

// Unlock frees the lock if it is held.
func (l *Lock) Unlock() (holder int, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.held {
		return 0, false
	}
	l.held = false
	return l.holder, true
}

// Spec says how the operations of a lock belong together.
var Spec = reference.Spec{
	Name: "lock",
	New:  func() *Lock { return &Lock{} },
	Language: []reference.Rule{{
		Name:    "lock-once",
		Formula: "forall x:Op, y:Op. method(x) = lock & method(y) = lock & arg(x) = arg(y) -> x = y",
		Reading: "each key is used for lock at most once",
	}},
	// An operation that names a holder belongs to the lock that succeeded with
	// that key. A lock that succeeds, and an unlock of a free lock, stand for
	// themselves.
	Target: []string{
		"method(y) = lock & outcome(y) = nil & arg(y) = ret(x)",
		"x = y & outcome(x) = nil",
	},
	ReadOnly: "method(x) = lock & outcome(x) = value | method(x) = unlock & outcome(x) = nil",
}
