package patterns_test

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

// BenchmarkInfer infers each example's theory in process, with all checks.
func BenchmarkInfer(b *testing.B) { benchmark(b, patterns.Options{}) }

// BenchmarkEnumerate leaves out what can be left out of an inference, so that
// the enumeration of candidates is most of what remains.
func BenchmarkEnumerate(b *testing.B) {
	benchmark(b, patterns.Options{Checks: matching.Budget{MinLength: 1, MaxLength: 1}, CrossLength: 1})
}

func benchmark(b *testing.B, o patterns.Options) {
	for _, tt := range types {
		b.Run(tt.name, func(b *testing.B) {
			impl, err := reference.New(tt.spec)
			if err != nil {
				b.Fatal(err)
			}
			defer impl.Close()
			candidates := 0
			for b.Loop() {
				t, err := patterns.Infer(context.Background(), impl, tt.spec.Info(), o)
				if err != nil {
					b.Fatal(err)
				}
				for _, w := range t.Status.Weights {
					candidates += w.Candidates
				}
			}
			b.ReportMetric(float64(candidates)/b.Elapsed().Seconds(), "candidates/s")
		})
	}
}
