// A client looks whether its secure channel is there and loads it again for use; a renewal that fails takes it away in between.
// Source: https://github.com/gopcua/opcua/issues/350
// Kind: nil pointer after a racy reset.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type secureChannel struct {
	mu   sync.Mutex
	sent int
}

func (s *secureChannel) send() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
}

type opcClient struct{ channel atomic.Pointer[secureChannel] }

func (c *opcClient) request() {
	if c.channel.Load() != nil {
		c.channel.Load().send()
	}
}

func (c *opcClient) requestFixed() {
	if s := c.channel.Load(); s != nil {
		s.send()
	}
}

func opcRun(request func(*opcClient)) {
	c := &opcClient{}
	c.channel.Store(&secureChannel{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.channel.Store(nil) // the renewal fails
	}()
	request(c)
	request(c)
	wg.Wait()
}

func TestGopcuaChannelNil(t *testing.T)      { opcRun((*opcClient).request) }
func TestGopcuaChannelNilFixed(t *testing.T) { opcRun((*opcClient).requestFixed) }
