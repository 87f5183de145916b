package check_test

import (
	"testing"
)

// BenchmarkEngines checks logs of ten operations by three processes, a third
// of which violate, with each engine.
func BenchmarkEngines(b *testing.B) {
	for i := range subjects[:4] {
		s := &subjects[i]
		th := build(b, s.source)
		all := corpus(s, 100, 10, 3, 20)
		for _, engine := range []checking{by{Engine: "symbolic"}, by{Engine: "saturate"}, oracle{}} {
			b.Run(s.name+"/"+engine.Name(), func(b *testing.B) {
				engine := ready(b, engine, th)
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
