// Package waitgroup starts goroutines, and waits for them.
package waitgroup

import (
	"sync"
	"sync/atomic"
)

// Counter counts.
type Counter struct{ n atomic.Int64 }

// IncTwice adds two, one after the other, in any order with others.
func (c *Counter) IncTwice() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.n.Add(1)
		}()
	}
	wg.Wait()
}

// AtLeast reports whether there are two.
func (c *Counter) AtLeast() bool { return c.n.Load() >= 2 }
