// Set is applied later by another goroutine, Del at once: a value that was set and then deleted comes back.
// Source: https://github.com/dgraph-io/ristretto/issues/52
// Kind: order of a buffered and a direct write.

package other1

import (
	"runtime"
	"sync"
	"testing"
)

type setDel struct {
	key, value int
	del        bool
}

type bufferedCache struct {
	mu    sync.Mutex
	store map[int]int
	buf   chan setDel
	loop  sync.WaitGroup
}

func newBufferedCache() *bufferedCache {
	c := &bufferedCache{store: map[int]int{}, buf: make(chan setDel, 4)}
	c.loop.Add(1)
	go func() {
		defer c.loop.Done()
		for op := range c.buf {
			c.apply(op)
		}
	}()
	return c
}

func (c *bufferedCache) apply(op setDel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if op.del {
		delete(c.store, op.key)
		return
	}
	c.store[op.key] = op.value
}

func (c *bufferedCache) close() {
	close(c.buf)
	c.loop.Wait()
}

func bufferedRun(t *testing.T, del func(*bufferedCache, setDel)) {
	c := newBufferedCache()
	c.buf <- setDel{key: 1, value: 7}
	runtime.Gosched()
	del(c, setDel{key: 1, del: true})
	c.close()
	if v, ok := c.store[1]; ok {
		t.Errorf("a deleted key has the value %d", v)
	}
}

func TestRistrettoSetAfterDel(t *testing.T) { bufferedRun(t, (*bufferedCache).apply) }

func TestRistrettoSetAfterDelFixed(t *testing.T) {
	bufferedRun(t, func(c *bufferedCache, op setDel) { c.buf <- op })
}
