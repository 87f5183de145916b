// A pool that is closed while a resource is being made returns an error without giving its lock back.
// Source: https://github.com/jackc/puddle/issues/8
// Kind: blocking, early return keeps a lock.

package blocking1

import (
	"errors"
	"sync"
	"testing"
)

var errPuddleClosed = errors.New("closed")

type puddlePool struct {
	mu     sync.Mutex
	closed bool
	size   int
	fixed  bool
}

func (p *puddlePool) create() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return errPuddleClosed
	}
	p.mu.Unlock()
	work() // constructs
	p.mu.Lock()
	if p.closed {
		if p.fixed {
			p.mu.Unlock()
		}
		return errPuddleClosed
	}
	p.size++
	p.mu.Unlock()
	return nil
}

func (p *puddlePool) close() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return p.size
}

func puddleRun(t *testing.T, p *puddlePool) {
	var wg sync.WaitGroup
	var err error
	wg.Add(1)
	go func() {
		defer wg.Done()
		err = p.create()
	}()
	p.close()
	wg.Wait()
	if n := p.close(); (n == 1) != (err == nil) {
		t.Errorf("%d resources, error %v", n, err)
	}
}

func TestPuddleClosedKeepsLock(t *testing.T)      { puddleRun(t, &puddlePool{}) }
func TestPuddleClosedKeepsLockFixed(t *testing.T) { puddleRun(t, &puddlePool{fixed: true}) }
