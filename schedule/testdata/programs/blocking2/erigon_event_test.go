// A goroutine checks its context and the queue under a mutex and then waits on a condition. The end of the context signals
// without the mutex, perhaps between the check and the wait.
// Source: https://github.com/erigontech/erigon/pull/21827
// Kind: blocking, lost wakeup.

package blocking2

import (
	"context"
	"sync"
	"testing"
)

type erigonChannel struct {
	mu    sync.Mutex
	cond  *sync.Cond
	queue []int
}

func (c *erigonChannel) wait(ctx context.Context, wake func(*sync.Cond)) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.mu.Lock()
		defer c.mu.Unlock()
		for len(c.queue) == 0 && ctx.Err() == nil {
			c.cond.Wait()
		}
	}()
	<-ctx.Done()
	wake(c.cond)
	wg.Wait()
}

func erigonRun(wake func(*sync.Cond)) {
	c := &erigonChannel{}
	c.cond = sync.NewCond(&c.mu)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.wait(ctx, wake)
	}()
	cancel()
	wg.Wait()
}

func TestErigonLostSignal(t *testing.T) { erigonRun((*sync.Cond).Signal) }

func TestErigonLostSignalFixed(t *testing.T) {
	erigonRun(func(c *sync.Cond) {
		c.L.Lock()
		defer c.L.Unlock()
		c.Signal()
	})
}
