package peer

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// BenchmarkQueue checks linearizable queue histories by the near-linear
// procedure, next to Porcupine, at sizes at which that can finish.
func BenchmarkQueue(b *testing.B) {
	s := historytest.Queue()
	th, m := historytest.Example(b, s.Name), model(s.Model)
	selected, err := checktest.Procedure(b.Context(), th)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{20, 40, 80} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			e := s.Execution(rand.New(rand.NewPCG(uint64(n), 2)), n, 8, 0)
			for b.Loop() {
				if r, err := selected.Check(b.Context(), e); err != nil || !r.Linearizable {
					b.Fatal(r, err)
				}
			}
			own := b.Elapsed() / time.Duration(b.N)
			start := time.Now()
			verdict := porcupine.CheckOperationsTimeout(m, operations(e), 10*time.Second)
			theirs := time.Since(start)
			if verdict == porcupine.Unknown {
				b.Log("Porcupine did not finish in 10 s")
			}
			b.ReportMetric(float64(theirs)/float64(own), "times-faster")
		})
	}
}
