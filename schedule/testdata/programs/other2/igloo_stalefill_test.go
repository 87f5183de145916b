// A cache fill is dropped if something was invalidated since it was read, but the check and the store are two steps: an
// invalidation in between is undone.
// Source: https://github.com/jibanez74/Igloo/pull/121
// Kind: atomicity, check of a generation and then store.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type generationCache struct {
	db     atomic.Int64
	gen    atomic.Int64
	mu     sync.Mutex
	filled bool
	entry  int64
}

func (c *generationCache) fill() {
	gen := c.gen.Load()
	v := c.db.Load()
	if c.gen.Load() != gen {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filled, c.entry = true, v
}

func (c *generationCache) fillFixed() {
	gen := c.gen.Load()
	v := c.db.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gen.Load() == gen {
		c.filled, c.entry = true, v
	}
}

func (c *generationCache) update(v int64) {
	c.db.Store(v)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen.Add(1)
	c.filled = false
}

func fillRun(t *testing.T, fill func(*generationCache)) {
	c := &generationCache{}
	c.db.Store(1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		c.update(2)
	}()
	fill(c)
	wg.Wait()
	if c.filled && c.entry != 2 {
		t.Errorf("the cache has %d after an update to 2", c.entry)
	}
}

func TestIglooStaleFill(t *testing.T)      { fillRun(t, (*generationCache).fill) }
func TestIglooStaleFillFixed(t *testing.T) { fillRun(t, (*generationCache).fillFixed) }
