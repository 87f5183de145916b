// The collector of tombstones holds its lock while it sends to the leader's loop; the loop waits for a barrier; the state
// machine that would answer the barrier waits for the collector's lock.
// Source: https://github.com/hashicorp/consul/issues/3700
// Kind: blocking, cycle of a mutex and two channels.

package blocking1

import (
	"sync"
	"testing"
)

type tombstoneGC struct {
	mu     sync.Mutex
	hints  int
	expire chan int
}

func (g *tombstoneGC) hint() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hints++
}

func (g *tombstoneGC) expired() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expire <- g.hints
}

func (g *tombstoneGC) expiredFixed() {
	g.mu.Lock()
	n := g.hints
	g.mu.Unlock()
	g.expire <- n
}

func tombstoneRun(expired func(*tombstoneGC)) {
	gc := &tombstoneGC{expire: make(chan int)}
	reconcile, stop := make(chan struct{}), make(chan struct{})
	barriers := make(chan chan struct{})
	var loops, events sync.WaitGroup
	loops.Add(2)
	go func() { // the leader's loop
		defer loops.Done()
		for {
			select {
			case <-gc.expire:
			case <-reconcile:
				done := make(chan struct{})
				barriers <- done
				<-done
			case <-stop:
				close(barriers)
				return
			}
		}
	}()
	go func() { // the state machine
		defer loops.Done()
		for done := range barriers {
			gc.hint()
			close(done)
		}
	}()
	expired(gc)
	events.Add(1)
	go func() {
		defer events.Done()
		reconcile <- struct{}{}
	}()
	expired(gc)
	events.Wait()
	close(stop)
	loops.Wait()
}

func TestConsulTombstoneLock(t *testing.T)      { tombstoneRun((*tombstoneGC).expired) }
func TestConsulTombstoneLockFixed(t *testing.T) { tombstoneRun((*tombstoneGC).expiredFixed) }
