// The number of running requests is compared with the limit and then raised in a second step: two requests pass where one may.
// Source: https://github.com/grpc/grpc-go/pull/4321
// Kind: atomicity, load and then add.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type requestCounter struct{ running atomic.Int32 }

func (c *requestCounter) start(limit int32) bool {
	if c.running.Load() >= limit {
		return false
	}
	c.running.Add(1)
	return true
}

func (c *requestCounter) startFixed(limit int32) bool {
	for {
		n := c.running.Load()
		if n >= limit {
			return false
		}
		if c.running.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func requestRun(t *testing.T, start func(*requestCounter, int32) bool) {
	var c requestCounter
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if !start(&c, 1) {
				return
			}
			if n := inside.Add(1); n > 1 {
				t.Errorf("%d requests where 1 is allowed", n)
			}
			work()
			inside.Add(-1)
			c.running.Add(-1)
		}()
	}
	wg.Wait()
}

func TestGrpcRequestLimit(t *testing.T)      { requestRun(t, (*requestCounter).start) }
func TestGrpcRequestLimitFixed(t *testing.T) { requestRun(t, (*requestCounter).startFixed) }
