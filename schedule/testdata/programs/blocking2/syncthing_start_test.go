// A model starts a connection with its own lock held, which takes the connection's; a connection that closes meanwhile holds its
// own lock and tells the model, which takes the model's.
// Source: https://github.com/syncthing/syncthing/pull/10140
// Kind: blocking, lock order through a callback.

package blocking2

import (
	"sync"
	"testing"
)

type startModel struct {
	mu    sync.Mutex
	conns map[*startConn]bool
}

func (m *startModel) promote(c *startConn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.conns[c] {
		c.start()
	}
}

func (m *startModel) closed(c *startConn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.conns, c)
}

type startConn struct {
	model     *startModel
	startStop sync.Mutex
	closed    bool
	loop      chan struct{}
}

func (c *startConn) start() {
	c.startStop.Lock()
	defer c.startStop.Unlock()
	if c.closed {
		return
	}
	c.loop = make(chan struct{})
	go close(c.loop)
}

func (c *startConn) close() {
	c.startStop.Lock()
	defer c.startStop.Unlock()
	c.closed = true
	if c.loop != nil {
		<-c.loop
	}
	c.model.closed(c)
}

func (c *startConn) closeFixed() {
	c.startStop.Lock()
	c.closed = true
	loop := c.loop
	c.startStop.Unlock()
	if loop != nil {
		<-loop
	}
	c.model.closed(c)
}

func startRun(t *testing.T, close func(*startConn)) {
	m := &startModel{conns: map[*startConn]bool{}}
	c := &startConn{model: m}
	m.conns[c] = true
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		close(c)
	}()
	m.promote(c)
	wg.Wait()
	if len(m.conns) != 0 {
		t.Error("a closed connection stays")
	}
}

func TestSyncthingStartClose(t *testing.T)      { startRun(t, (*startConn).close) }
func TestSyncthingStartCloseFixed(t *testing.T) { startRun(t, (*startConn).closeFixed) }
