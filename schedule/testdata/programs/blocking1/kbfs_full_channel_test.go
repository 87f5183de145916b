// Blocks that are done report their size on a buffered channel with the cache's lock held; the goroutine that drains it takes the
// lock first. A full channel stops both.
// Source: https://github.com/keybase/kbfs/pull/77
// Kind: blocking, full channel under lock.

package blocking1

import (
	"sync"
	"testing"
)

type kbfsCache struct {
	mu        sync.Mutex
	size      int
	decreased chan int
	stop      chan struct{}
}

func (c *kbfsCache) finished(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size -= n
	c.decreased <- n
}

func (c *kbfsCache) finishedFixed(n int) {
	c.mu.Lock()
	c.size -= n
	c.mu.Unlock()
	c.decreased <- n
}

func (c *kbfsCache) grant() {
	for {
		c.mu.Lock()
		full := c.size > 2
		c.mu.Unlock()
		if !full {
			work() // grants
		}
		select {
		case <-c.decreased:
		case <-c.stop:
			return
		}
	}
}

func kbfsRun(finished func(*kbfsCache, int)) {
	c := &kbfsCache{size: 3, decreased: make(chan int, 1), stop: make(chan struct{})}
	var granter, blocks sync.WaitGroup
	granter.Add(1)
	go func() {
		defer granter.Done()
		c.grant()
	}()
	for range 3 {
		blocks.Add(1)
		go func() {
			defer blocks.Done()
			finished(c, 1)
		}()
	}
	blocks.Wait()
	close(c.stop)
	granter.Wait()
}

func TestKbfsFullChannel(t *testing.T)      { kbfsRun((*kbfsCache).finished) }
func TestKbfsFullChannelFixed(t *testing.T) { kbfsRun((*kbfsCache).finishedFixed) }
