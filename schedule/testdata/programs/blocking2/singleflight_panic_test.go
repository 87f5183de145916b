// Callers share one call of a function by key. When it panics, the call is forgotten, but those who joined it wait for ever.
// Source: https://github.com/janos/singleflight/pull/13
// Kind: blocking, WaitGroup not done on panic.

package blocking2

import (
	"sync"
	"testing"
)

type flightCall struct {
	wg  sync.WaitGroup
	val int
}

type flightGroup struct {
	mu    sync.Mutex
	calls map[string]*flightCall
}

func (g *flightGroup) forget(key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.calls, key)
}

func (g *flightGroup) do(key string, f func() int, fixed bool) int {
	g.mu.Lock()
	if c, ok := g.calls[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.val
	}
	c := &flightCall{}
	c.wg.Add(1)
	g.calls[key] = c
	g.mu.Unlock()
	defer g.forget(key)
	if fixed {
		defer c.wg.Done()
	}
	c.val = f()
	if !fixed {
		c.wg.Done()
	}
	return c.val
}

func flightRun(t *testing.T, fixed bool) {
	g := &flightGroup{calls: map[string]*flightCall{}}
	call := func() {
		defer func() { recover() }()
		if v := g.do("k", func() int { panic("no backend") }, fixed); v != 0 {
			t.Errorf("a value %d from nowhere", v)
		}
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		call()
	}()
	call()
	wg.Wait()
}

func TestSingleflightPanic(t *testing.T)      { flightRun(t, false) }
func TestSingleflightPanicFixed(t *testing.T) { flightRun(t, true) }
