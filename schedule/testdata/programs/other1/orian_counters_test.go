// A counter that is missing in a sync.Map is stored in a second step: two goroutines make one each, and what the first counted is
// lost.
// Source: https://github.com/orian/counters/pull/5
// Kind: atomicity, Load and then Store of a sync.Map.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type counterBox struct{ m sync.Map }

func (b *counterBox) get(name string) *atomic.Int64 {
	if v, ok := b.m.Load(name); ok {
		return v.(*atomic.Int64)
	}
	c := new(atomic.Int64)
	b.m.Store(name, c)
	return c
}

func (b *counterBox) getFixed(name string) *atomic.Int64 {
	v, _ := b.m.LoadOrStore(name, new(atomic.Int64))
	return v.(*atomic.Int64)
}

func counterRun(t *testing.T, get func(*counterBox, string) *atomic.Int64) {
	b := &counterBox{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		get(b, "hits").Add(1)
	}()
	get(b, "hits").Add(1)
	wg.Wait()
	if n := get(b, "hits").Load(); n != 2 {
		t.Errorf("counted %d of 2", n)
	}
}

func TestOrianCounterLost(t *testing.T)      { counterRun(t, (*counterBox).get) }
func TestOrianCounterLostFixed(t *testing.T) { counterRun(t, (*counterBox).getFixed) }
