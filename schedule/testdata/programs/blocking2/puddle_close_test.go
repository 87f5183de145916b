// Close destroys idle resources and waits for all; a resource that was handed out before and comes back later is dropped without
// being counted off.
// Source: https://github.com/jackc/puddle/issues/1
// Kind: blocking, WaitGroup counted off on one path only.

package blocking2

import (
	"sync"
	"testing"
)

type countedPool struct {
	mu     sync.Mutex
	closed bool
	idle   int
	alive  sync.WaitGroup
	fixed  bool
}

func (p *countedPool) acquire() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return false
	case p.idle > 0:
		p.idle--
	default:
		p.alive.Add(1)
	}
	return true
}

func (p *countedPool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.closed:
		p.idle++
	case p.fixed:
		p.alive.Done()
	}
}

func (p *countedPool) close() {
	p.mu.Lock()
	p.closed = true
	for range p.idle {
		p.alive.Done()
	}
	p.idle = 0
	p.mu.Unlock()
	p.alive.Wait()
}

func countedRun(p *countedPool) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if p.acquire() {
				work()
				p.release()
			}
		}()
	}
	p.close()
	wg.Wait()
}

func TestPuddleCloseCount(t *testing.T)      { countedRun(&countedPool{}) }
func TestPuddleCloseCountFixed(t *testing.T) { countedRun(&countedPool{fixed: true}) }
