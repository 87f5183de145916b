// Snapshot takes the locks of histograms, gauges and counters in one order, Reset in the other.
// Source: https://github.com/codahale/metrics/pull/16
// Kind: blocking, lock order.

package blocking1

import (
	"sync"
	"testing"
)

type metricsRegistry struct {
	cm, gm, hm sync.Mutex
	c, g, h    map[string]int
}

func (r *metricsRegistry) reset() {
	r.hm.Lock()
	defer r.hm.Unlock()
	r.gm.Lock()
	defer r.gm.Unlock()
	r.cm.Lock()
	defer r.cm.Unlock()
	r.c, r.g, r.h = map[string]int{}, map[string]int{}, map[string]int{}
}

func (r *metricsRegistry) snapshot(locks ...*sync.Mutex) int {
	for _, l := range locks {
		l.Lock()
		defer l.Unlock()
	}
	return len(r.c) + len(r.g) + len(r.h)
}

func metricsRun(t *testing.T, snapshot func(*metricsRegistry) int) {
	r := &metricsRegistry{}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		r.reset()
	}()
	if n := snapshot(r); n != 0 {
		t.Errorf("%d metrics in an empty registry", n)
	}
	wg.Wait()
}

func TestMetricsLockOrder(t *testing.T) {
	metricsRun(t, func(r *metricsRegistry) int { return r.snapshot(&r.cm, &r.gm, &r.hm) })
}

func TestMetricsLockOrderFixed(t *testing.T) {
	metricsRun(t, func(r *metricsRegistry) int { return r.snapshot(&r.hm, &r.gm, &r.cm) })
}
