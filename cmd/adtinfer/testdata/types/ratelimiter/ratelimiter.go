// Package ratelimiter admits three requests a tick.
package ratelimiter

import "sync"

const perTick = 3

// Limiter is ready for use.
type Limiter struct {
	mu   sync.Mutex
	used int
}

// New returns a limiter with nothing used.
func New() *Limiter { return &Limiter{} }

// Allow reports whether a request is admitted.
func (l *Limiter) Allow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used == perTick {
		return false
	}
	l.used++
	return true
}

// Tick starts a new period.
func (l *Limiter) Tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = 0
}
