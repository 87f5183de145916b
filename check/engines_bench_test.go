package check_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// BenchmarkEngines checks logs of ten operations by three processes, a third
// of which violate, with each engine.
func BenchmarkEngines(b *testing.B) {
	for i := range subjects[:4] {
		s := &subjects[i]
		th := build(b, s.source)
		all := corpus(s, 100, 10, 3, 20)
		for _, engine := range []check.Engine{check.Symbolic{}, check.WGL{}, check.Saturate{Removal: true}, check.Enumerate{}} {
			b.Run(s.name+"/"+engine.Name(), func(b *testing.B) {
				engine, err := check.Prepare(engine, th)
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for b.Loop() {
					for _, e := range all {
						if _, err := engine.Check(b.Context(), th, e); err != nil {
							b.Fatal(err)
						}
					}
					n += len(all)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "logs/s")
			})
		}
	}
}
