// Package notonce makes a value that others get before it is made.
package notonce

import "sync/atomic"

// Lazy holds a number that is made once.
type Lazy struct {
	begun atomic.Bool
	v     atomic.Int64
}

// Get answers the number.
func (l *Lazy) Get() int64 {
	if l.begun.CompareAndSwap(false, true) {
		l.v.Store(41)
	}
	return l.v.Load()
}
