// A pool compares its running workers with its capacity under a lock but starts and counts the new worker after giving it back.
// Source: https://github.com/panjf2000/ants/issues/374
// Kind: atomicity, check under lock and act after it.

package other1

import (
	"sync"
	"testing"
)

type capacityPool struct {
	mu      sync.Mutex
	running int
	cap     int
	most    int
	workers sync.WaitGroup
}

func (p *capacityPool) count(d int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.countLocked(d)
}

func (p *capacityPool) countLocked(d int) {
	p.running += d
	p.most = max(p.most, p.running)
}

func (p *capacityPool) spawn(f func()) {
	p.workers.Add(1)
	go func() {
		defer p.workers.Done()
		f()
		p.count(-1)
	}()
}

func (p *capacityPool) submit(f func()) {
	p.mu.Lock()
	full := p.running >= p.cap
	p.mu.Unlock()
	if !full {
		p.count(1)
		p.spawn(f)
	}
}

func (p *capacityPool) submitFixed(f func()) {
	p.mu.Lock()
	full := p.running >= p.cap
	if !full {
		p.countLocked(1)
	}
	p.mu.Unlock()
	if !full {
		p.spawn(f)
	}
}

func capacityRun(t *testing.T, submit func(*capacityPool, func())) {
	p := &capacityPool{cap: 2}
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			submit(p, work)
		}()
	}
	wg.Wait()
	p.workers.Wait()
	if p.most > p.cap {
		t.Errorf("%d workers in a pool of %d", p.most, p.cap)
	}
}

func TestAntsOverCapacity(t *testing.T)      { capacityRun(t, (*capacityPool).submit) }
func TestAntsOverCapacityFixed(t *testing.T) { capacityRun(t, (*capacityPool).submitFixed) }
