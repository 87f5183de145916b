// Closing sends a last message and waits for the writer inside a Once; the writer, whose write fails just then, closes too and
// waits for the same Once.
// Source: https://github.com/syncthing/syncthing/pull/5442
// Kind: blocking, sync.Once that waits for its own caller.

package blocking1

import (
	"sync"
	"testing"
)

type onceMessage struct {
	fails bool
	sent  chan struct{}
}

type onceConn struct {
	farewell, cleanup *sync.Once // one and the same in the bug
	outbox            chan onceMessage
	closed            chan struct{}
}

func (c *onceConn) send(m onceMessage) {
	select {
	case c.outbox <- m:
		select {
		case <-m.sent:
		case <-c.closed:
		}
	case <-c.closed:
	}
}

func (c *onceConn) internalClose() {
	c.cleanup.Do(func() { close(c.closed) })
}

func (c *onceConn) close() {
	c.farewell.Do(func() {
		c.send(onceMessage{sent: make(chan struct{})})
		if c.farewell == c.cleanup {
			close(c.closed)
		}
	})
	if c.farewell != c.cleanup {
		c.internalClose()
	}
}

func (c *onceConn) writer() {
	for {
		select {
		case m := <-c.outbox:
			if m.fails {
				c.internalClose()
				return
			}
			close(m.sent)
		case <-c.closed:
			return
		}
	}
}

func onceRun(farewell, cleanup *sync.Once) {
	c := &onceConn{farewell, cleanup, make(chan onceMessage), make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		c.writer()
	}()
	go func() {
		defer wg.Done()
		c.send(onceMessage{true, make(chan struct{})})
	}()
	c.close()
	wg.Wait()
}

func TestSyncthingCloseOnce(t *testing.T) {
	var once sync.Once
	onceRun(&once, &once)
}

func TestSyncthingCloseOnceFixed(t *testing.T) { onceRun(new(sync.Once), new(sync.Once)) }
