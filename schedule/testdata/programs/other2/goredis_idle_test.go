// A pool that keeps idle connections looks whether it is closed, dials and adds the new connection, which nobody closes if the pool
// was closed meanwhile.
// Source: https://github.com/redis/go-redis/pull/1863
// Kind: atomicity, check and then add.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type idleConn struct{ closed atomic.Bool }

type idlePool struct {
	closed atomic.Bool
	mu     sync.Mutex
	conns  []*idleConn
	fixed  bool
}

func (p *idlePool) addIdle() *idleConn {
	if p.closed.Load() {
		return nil
	}
	c := &idleConn{}
	work() // dials
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fixed && p.closed.Load() {
		c.closed.Store(true)
		return c
	}
	p.conns = append(p.conns, c)
	return c
}

func (p *idlePool) close() {
	p.closed.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.closed.Store(true)
	}
	p.conns = nil
}

func idleRun(t *testing.T, p *idlePool) {
	dialled := make(chan *idleConn, 2)
	for range 2 {
		go func() { dialled <- p.addIdle() }()
	}
	p.close()
	for range 2 {
		if c := <-dialled; c != nil && !c.closed.Load() {
			t.Error("an open connection in a closed pool")
		}
	}
}

func TestGoRedisIdleAfterClose(t *testing.T)      { idleRun(t, &idlePool{}) }
func TestGoRedisIdleAfterCloseFixed(t *testing.T) { idleRun(t, &idlePool{fixed: true}) }
