package monitor_test

import (
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/engine/monitor"
)

// fastest is the shortest of three times.
func fastest(f func()) time.Duration {
	least := time.Hour
	for range 3 {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// BenchmarkLinearize makes linearizations of executions of queues, in units of
// one check.
func BenchmarkLinearize(b *testing.B) {
	m, e := selected(b, example(b, "queue")).Selected, long(1_000_000)
	var l *monitor.Linearization
	check := fastest(func() {
		if r, err := m.Check(b.Context(), e); err != nil || !r.Linearizable {
			b.Fatal(r, err)
		}
	})
	linearize := fastest(func() {
		var err error
		if l, err = m.Linearize(b.Context(), e); err != nil || len(l.Order) != len(e.Ops) {
			b.Fatal(err)
		}
	})
	for b.Loop() {
		if _, err := m.Linearize(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(linearize)/float64(check), "checks")
	b.ReportMetric(float64(check)/1e6, "check-ms")
}
