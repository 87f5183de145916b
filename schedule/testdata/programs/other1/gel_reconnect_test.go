// A client that reconnects sets its connection to nil until the dial succeeds; queries meanwhile use the nil connection.
// Source: https://github.com/geldata/gel-go/pull/212
// Kind: nil pointer after a racy reset.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type gelConn struct{ queries atomic.Int32 }

type gelClient struct {
	mu   sync.Mutex
	conn *gelConn
}

func (c *gelClient) get() *gelConn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

func (c *gelClient) set(conn *gelConn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
}

func gelDial(try int) *gelConn {
	work()
	if try == 0 {
		return nil
	}
	return &gelConn{}
}

func (c *gelClient) reconnect(fixed bool) {
	for try := range 2 {
		conn := gelDial(try)
		if conn != nil || !fixed {
			c.set(conn)
		}
	}
}

func gelRun(fixed bool) {
	c := &gelClient{conn: &gelConn{}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.reconnect(fixed)
	}()
	for range 2 {
		c.get().queries.Add(1)
	}
	wg.Wait()
}

func TestGelReconnectNil(t *testing.T)      { gelRun(false) }
func TestGelReconnectNilFixed(t *testing.T) { gelRun(true) }
