// Package doubleunlock gives a lock back twice if two callers find that it is held.
package doubleunlock

import (
	"sync"
	"sync/atomic"
)

// Gate is open or shut.
type Gate struct {
	mu   sync.Mutex
	shut atomic.Bool
}

// Shut shuts the gate, and reports whether it was open.
func (g *Gate) Shut() bool {
	if !g.mu.TryLock() {
		return false
	}
	g.shut.Store(true)
	return true
}

// Open opens the gate, and reports whether it was shut.
func (g *Gate) Open() bool {
	if !g.shut.Load() {
		return false
	}
	g.shut.Store(false)
	g.mu.Unlock()
	return true
}
