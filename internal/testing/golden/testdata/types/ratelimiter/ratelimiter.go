// Package ratelimiter admits so many requests in a window.
package ratelimiter

// Limiter counts the requests of the present window.
type Limiter struct {
	limit, used int
}

// NewLimiter makes a limiter that admits limit requests in each window.
func NewLimiter(limit int) *Limiter {
	return &Limiter{limit: limit}
}

// Allow reports whether one more request may go ahead.
func (l *Limiter) Allow() bool {
	if l.used >= l.limit {
		return false
	}
	l.used++
	return true
}

// NextWindow starts a new window.
func (l *Limiter) NextWindow() {
	l.used = 0
}
