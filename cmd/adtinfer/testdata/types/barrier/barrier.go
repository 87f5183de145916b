// Package barrier counts arrivals in rounds.
package barrier

import "sync"

const parties = 3

// Barrier trips whenever three parties have arrived.
type Barrier struct {
	mu      sync.Mutex
	arrived int
	round   int
}

// New returns a barrier in round 0.
func New() *Barrier { return &Barrier{} }

// Arrive reports whether this arrival tripped the barrier.
func (b *Barrier) Arrive() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived++
	if b.arrived < parties {
		return false
	}
	b.arrived = 0
	b.round++
	return true
}

// Round returns how often the barrier has tripped.
func (b *Barrier) Round() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.round
}
