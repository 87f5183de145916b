package check_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// BenchmarkSaturateRecorded checks each recorded log of 20,000 events at every
// return.
func BenchmarkSaturateRecorded(b *testing.B) {
	theories := containers(b)
	for _, row := range historytest.Recordings(b) {
		if !strings.HasPrefix(row.File, "big/") {
			continue
		}
		b.Run(filepath.Base(row.File), func(b *testing.B) {
			th := theories[row.Object]
			engine := ready(b, by{Engine: "saturate"}, th)
			e := row.Read(b, th)
			n := 0
			for b.Loop() {
				r, err := engine.Check(b.Context(), th, e)
				if err != nil || r.Verdict != check.NoViolationFound {
					b.Fatal(r, err)
				}
				n += e.Events
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
