// A goroutine waits in a pool for a free worker; the pool is released, and the last worker, which finds it closed, leaves without
// waking anybody.
// Source: https://github.com/panjf2000/ants/issues/141
// Kind: blocking, Cond nobody signals after closing.

package blocking1

import (
	"sync"
	"testing"
)

type antsPool struct {
	mu     sync.Mutex
	cond   *sync.Cond
	free   int
	closed bool
	tasks  sync.WaitGroup
}

func (p *antsPool) submit(f func()) bool {
	p.mu.Lock()
	for p.free == 0 && !p.closed {
		p.cond.Wait()
	}
	if p.closed {
		p.mu.Unlock()
		return false
	}
	p.free--
	p.tasks.Add(1)
	p.mu.Unlock()
	go func() {
		defer p.tasks.Done()
		f()
		p.revert()
	}()
	return true
}

func (p *antsPool) revert() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.free++
	p.cond.Signal()
}

func (p *antsPool) release(wake func(*sync.Cond)) {
	p.mu.Lock()
	p.closed = true
	wake(p.cond)
	p.mu.Unlock()
	p.tasks.Wait()
}

func antsRun(t *testing.T, wake func(*sync.Cond)) {
	p := &antsPool{free: 1}
	p.cond = sync.NewCond(&p.mu)
	if !p.submit(work) {
		t.Error("an open pool refuses")
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		p.submit(work)
	}()
	p.release(wake)
	wg.Wait()
}

func TestAntsReleaseForgetsWaiter(t *testing.T)      { antsRun(t, func(*sync.Cond) {}) }
func TestAntsReleaseForgetsWaiterFixed(t *testing.T) { antsRun(t, (*sync.Cond).Broadcast) }
