// Switching balancers closes the old one and waits for its goroutine with the connection's mutex held; that goroutine just then
// handles an update and wants the mutex.
// Source: https://github.com/grpc/grpc-go/pull/4536
// Kind: blocking, waiting for a goroutine under lock.

package blocking2

import (
	"sync"
	"testing"
)

type grpcConn struct {
	mu       sync.Mutex
	subConns int
	balancer *grpcBalancer
}

func (c *grpcConn) newSubConn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subConns++
}

type grpcBalancer struct {
	conn          *grpcConn
	updates       chan int
	closing, done chan struct{}
}

func newGrpcBalancer(c *grpcConn) *grpcBalancer {
	b := &grpcBalancer{c, make(chan int), make(chan struct{}), make(chan struct{})}
	go b.run()
	return b
}

func (b *grpcBalancer) run() {
	defer close(b.done)
	for {
		select {
		case n := <-b.updates:
			for range n {
				b.conn.newSubConn()
			}
		case <-b.closing:
			return
		}
	}
}

func (b *grpcBalancer) update(n int) {
	select {
	case b.updates <- n:
	case <-b.closing:
	}
}

func (b *grpcBalancer) close() {
	close(b.closing)
	<-b.done
}

func (c *grpcConn) switchBalancer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.balancer.close()
	c.balancer = newGrpcBalancer(c)
}

func (c *grpcConn) switchBalancerFixed() {
	c.mu.Lock()
	old := c.balancer
	c.balancer = newGrpcBalancer(c)
	c.mu.Unlock()
	old.close()
}

func grpcRun(switchBalancer func(*grpcConn)) {
	c := &grpcConn{}
	c.balancer = newGrpcBalancer(c)
	old := c.balancer
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		old.update(2)
	}()
	switchBalancer(c)
	wg.Wait()
	c.balancer.close()
}

func TestGrpcSwitchBalancer(t *testing.T)      { grpcRun((*grpcConn).switchBalancer) }
func TestGrpcSwitchBalancerFixed(t *testing.T) { grpcRun((*grpcConn).switchBalancerFixed) }
