// Package halfdone starts goroutines that others see the half of.
package halfdone

import (
	"sync"
	"sync/atomic"
)

// Counter counts in twos.
type Counter struct{ n atomic.Int64 }

// IncTwice adds two.
func (c *Counter) IncTwice() {
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		go func() {
			defer wg.Done()
			c.n.Add(1)
		}()
	}
	wg.Wait()
}

// Get answers how many there are.
func (c *Counter) Get() int64 { return c.n.Load() }
