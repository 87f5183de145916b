// The exit of a container waits for its log streams with the container's lock held; a stream takes the lock for its last line.
// Source: https://github.com/moby/moby/issues/30605
// Kind: blocking, WaitGroup under lock.

package blocking1

import (
	"sync"
	"testing"
)

type mobyContainer struct {
	mu      sync.Mutex
	running bool
	lines   int
	streams sync.WaitGroup
}

func (c *mobyContainer) copyLogs(lines <-chan string) {
	defer c.streams.Done()
	for range lines {
		c.mu.Lock()
		c.lines++
		c.mu.Unlock()
	}
}

func (c *mobyContainer) exit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams.Wait()
	c.running = false
}

func (c *mobyContainer) exitFixed() {
	c.streams.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
}

func mobyRun(t *testing.T, exit func(*mobyContainer)) {
	c := &mobyContainer{running: true}
	lines := make(chan string, 2)
	lines <- "hello"
	lines <- "bye"
	close(lines)
	c.streams.Add(2)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		exit(c)
	}()
	go c.copyLogs(lines)
	c.copyLogs(lines)
	wg.Wait()
	if c.lines != 2 {
		t.Errorf("%d of 2 lines", c.lines)
	}
}

func TestMobyWaitStreamsUnderLock(t *testing.T)      { mobyRun(t, (*mobyContainer).exit) }
func TestMobyWaitStreamsUnderLockFixed(t *testing.T) { mobyRun(t, (*mobyContainer).exitFixed) }
