// A maximum is loaded, compared and stored in separate steps: a smaller value overwrites a larger one.
// Source: https://github.com/Z3NTL3/ProxyBeast/issues/20
// Kind: lost update, load and then store.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type maxGauge struct{ max atomic.Int64 }

func (g *maxGauge) observe(v int64) {
	if v > g.max.Load() {
		g.max.Store(v)
	}
}

func (g *maxGauge) observeFixed(v int64) {
	for {
		old := g.max.Load()
		if v <= old || g.max.CompareAndSwap(old, v) {
			return
		}
	}
}

func maxRun(t *testing.T, observe func(*maxGauge, int64)) {
	var g maxGauge
	var wg sync.WaitGroup
	for _, v := range []int64{3, 5, 4} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			observe(&g, v)
		}()
	}
	wg.Wait()
	if m := g.max.Load(); m != 5 {
		t.Errorf("the largest of 3, 5, 4 is %d", m)
	}
}

func TestProxybeastLostMax(t *testing.T)      { maxRun(t, (*maxGauge).observe) }
func TestProxybeastLostMaxFixed(t *testing.T) { maxRun(t, (*maxGauge).observeFixed) }
