// Package combining is a counter whose goroutines count for each other.
package combining

import (
	"sync"
	"sync/atomic"
)

type Counter struct {
	mu    sync.Mutex
	n     int
	offer atomic.Pointer[request]
}

// request is a call of Inc; mu guards it.
type request struct{ answer int }

func New() *Counter { return &Counter{} }

func (c *Counter) Inc() int {
	r := &request{}
	c.offer.CompareAndSwap(nil, r)
	//lin: own r
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.answer == 0 {
		c.n++
		r.answer = c.n
		//lin: inc() = c.n
	}
	if o := c.offer.Load(); o != nil {
		if o.answer == 0 {
			c.n++
			o.answer = c.n
			//lin: inc() = c.n for o
		}
		c.offer.CompareAndSwap(o, nil)
	}
	return r.answer
}
