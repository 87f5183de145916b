package saturate_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
)

// BenchmarkSaturate is the curve over lengths of logs of eight processes that
// always have an operation running. The live metric counts operations held at
// most, bytes the heap at the end.
func BenchmarkSaturate(b *testing.B) {
	for _, lifo := range []bool{false, true} {
		t := container(b, lifo)
		r, err := clauses.Compile(t)
		if err != nil {
			b.Fatal(err)
		}
		for _, events := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", t.Name, events), func(b *testing.B) {
				log := generate(lifo, events, 8, 1)
				before := heap()
				live, n := 0, 0
				var m *saturate.Saturation
				for b.Loop() {
					m = saturate.New(r, saturate.Options{Removal: true})
					live = feed(b, m, log)
					n += len(log)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(live), "live")
				b.ReportMetric(float64(heap()-before), "bytes")
				runtime.KeepAlive(m)
				runtime.KeepAlive(log)
			})
		}
	}
}

func heap() int {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// BenchmarkProbe is the same with probing.
func BenchmarkProbe(b *testing.B) {
	for _, lifo := range []bool{false, true} {
		t := container(b, lifo)
		b.Run(t.Name, func(b *testing.B) {
			log := generate(lifo, 1_000, 8, 1)
			n := 0
			for b.Loop() {
				m := start(b, t, saturate.Options{Removal: true, Probe: true})
				feed(b, m, log)
				n += len(log)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	t := container(b, true)
	for b.Loop() {
		if _, err := clauses.Compile(t); err != nil {
			b.Fatal(err)
		}
	}
}
