// Requests are cancelled by their connection. A cancel that comes late, when its request is over and the connection is in use
// again, cancels somebody else's request.
// Source: https://github.com/golang/go/issues/41600
// Kind: ABA, late cancel of a reused connection.

package other2

import (
	"sync"
	"testing"
)

type reuseRequest struct{ cancelled bool }

type reuseConn struct {
	mu      sync.Mutex
	current *reuseRequest
	strict  bool
}

func (c *reuseConn) use(r *reuseRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = r
}

func (c *reuseConn) cancel(r *reuseRequest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && (!c.strict || c.current == r) {
		c.current.cancelled = true
	}
}

func roundTrip(pool chan *reuseConn, cancel <-chan struct{}, watchers *sync.WaitGroup) bool {
	c, r, done := <-pool, &reuseRequest{}, make(chan struct{})
	c.use(r)
	watchers.Add(1)
	go func() {
		defer watchers.Done()
		select {
		case <-cancel:
			c.cancel(r)
		case <-done:
		}
	}()
	work() // reads the response
	c.use(nil)
	close(done)
	cancelled := r.cancelled
	pool <- c
	return cancelled
}

func cancelRun(t *testing.T, strict bool) {
	pool := make(chan *reuseConn, 1)
	pool <- &reuseConn{strict: strict}
	cancel := make(chan struct{})
	var watchers, first sync.WaitGroup
	first.Add(1)
	go func() {
		defer first.Done()
		roundTrip(pool, cancel, &watchers)
	}()
	go close(cancel)
	if roundTrip(pool, nil, &watchers) {
		t.Error("a request was cancelled that nobody cancels")
	}
	first.Wait()
	watchers.Wait()
}

func TestHttpCancelReused(t *testing.T)      { cancelRun(t, false) }
func TestHttpCancelReusedFixed(t *testing.T) { cancelRun(t, true) }
