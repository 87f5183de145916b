// A counter is raised with only the read lock held: two goroutines read the same value, and one increment is lost.
// Source: https://github.com/dankomiocevic/ghoti/pull/87
// Kind: lost update, data race (a plain run needs switches at memory accesses).

package other1

import (
	"sync"
	"testing"
)

type rlockCounter struct {
	mu    sync.RWMutex
	value int
}

func (c *rlockCounter) increment(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
	c.value++
}

func rlockRun(t *testing.T, increment func(*rlockCounter)) {
	c := &rlockCounter{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			increment(c)
		}()
	}
	wg.Wait()
	if c.value != 2 {
		t.Errorf("%d after two increments", c.value)
	}
}

func TestGhotiRLockIncrement(t *testing.T) {
	rlockRun(t, func(c *rlockCounter) { c.increment(c.mu.RLocker()) })
}

func TestGhotiRLockIncrementFixed(t *testing.T) {
	rlockRun(t, func(c *rlockCounter) { c.increment(&c.mu) })
}
