// Package backoff waits a while, for a random time, before it tries again.
package backoff

import (
	"math/rand"
	"sync/atomic"
	"time"
)

// Counter counts.
type Counter struct{ n atomic.Int32 }

// Inc adds one, and answers how many there are.
func (c *Counter) Inc() int32 {
	for {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+1) {
			return n + 1
		}
		time.Sleep(time.Duration(rand.Intn(2)) * time.Millisecond)
	}
}
