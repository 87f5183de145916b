// Package once makes a value when it is first asked for.
package once

import (
	"sync"
	"sync/atomic"
)

// Lazy holds a number that is made once.
type Lazy struct {
	once sync.Once
	made atomic.Int64
	v    int64
}

// Get answers the number, and how often it was made.
func (l *Lazy) Get() (int64, int64) {
	l.once.Do(func() { l.v = 40 + l.made.Add(1) })
	return l.v, l.made.Load()
}
