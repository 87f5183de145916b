// Whether an item has expired is found out under one lock and the item deleted under another: one that was set anew in between is
// lost.
// Source: https://github.com/patrickmn/go-cache/pull/132
// Kind: atomicity, check and then delete.

package other1

import (
	"sync"
	"testing"
)

type expiringItem struct{ value, expires int }

type expiringCache struct {
	mu    sync.RWMutex
	now   int
	items map[string]expiringItem
}

func (c *expiringCache) set(k string, v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[k] = expiringItem{v, c.now + 10}
}

func (c *expiringCache) get(k string) (int, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	it, ok := c.items[k]
	return it.value, ok && it.expires > c.now
}

func (c *expiringCache) expire(k string) {
	if _, ok := c.get(k); ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, k)
}

func (c *expiringCache) expireFixed(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items[k].expires <= c.now {
		delete(c.items, k)
	}
}

func expiringRun(t *testing.T, expire func(*expiringCache, string)) {
	c := &expiringCache{now: 20, items: map[string]expiringItem{"k": {1, 15}}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		expire(c, "k")
	}()
	c.set("k", 2)
	wg.Wait()
	if v, ok := c.get("k"); !ok || v != 2 {
		t.Errorf("k = %d, %v after it was set anew", v, ok)
	}
}

func TestGoCacheExpireFresh(t *testing.T)      { expiringRun(t, (*expiringCache).expire) }
func TestGoCacheExpireFreshFixed(t *testing.T) { expiringRun(t, (*expiringCache).expireFixed) }
