// A pool asks for connections on a bounded channel with its mutex held; the opener takes the mutex for each request. When the
// channel is full both wait.
// Source: https://github.com/golang/go/issues/37178
// Kind: blocking, full channel under lock.

package blocking2

import (
	"sync"
	"testing"
)

type sqlPool struct {
	mu      sync.Mutex
	open    int
	pending int
	opener  chan struct{}
}

func (p *sqlPool) request(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending += n
	for range n {
		p.opener <- struct{}{}
	}
}

func (p *sqlPool) requestFixed(n int) {
	p.mu.Lock()
	p.pending += n
	p.mu.Unlock()
	for range n {
		p.opener <- struct{}{}
	}
}

func (p *sqlPool) openConns() {
	for range p.opener {
		p.mu.Lock()
		p.open++
		p.pending--
		p.mu.Unlock()
	}
}

func sqlRun(t *testing.T, request func(*sqlPool, int)) {
	p := &sqlPool{opener: make(chan struct{}, 3)}
	var opener, callers sync.WaitGroup
	opener.Add(1)
	go func() {
		defer opener.Done()
		p.openConns()
	}()
	for range 2 {
		callers.Add(1)
		go func() {
			defer callers.Done()
			request(p, 3)
		}()
	}
	callers.Wait()
	close(p.opener)
	opener.Wait()
	if p.open != 6 || p.pending != 0 {
		t.Errorf("%d open, %d pending", p.open, p.pending)
	}
}

func TestSqlOpenerChannelFull(t *testing.T)      { sqlRun(t, (*sqlPool).request) }
func TestSqlOpenerChannelFullFixed(t *testing.T) { sqlRun(t, (*sqlPool).requestFixed) }
