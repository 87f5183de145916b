// Package retries is a counter whose loops nobody can bound: random numbers until one will do, and retries that are
// counted for nothing.
package retries

import (
	"math/rand"
	"sync/atomic"
)

// Counter counts.
type Counter struct{ n atomic.Int64 }

// Inc counts.
func (c *Counter) Inc() int64 {
	step := 0
	for step != 1 {
		step = rand.Intn(3)
	}
	for retries := 0; ; retries++ {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+int64(step)) {
			return n
		}
	}
}
