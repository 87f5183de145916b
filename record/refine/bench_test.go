//go:build !adtinfer_norecord

package refine

import (
	"context"
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/record"
)

// counterSpec is a counter, the cheapest specification there is.
type counterSpec struct{}

func (counterSpec) New() int64 { return 0 }

func (counterSpec) Step(s int64, op *Op) (int64, bool) { return s + 1, op.Rets[0].Int() == s }

func (counterSpec) Clone(s int64) int64 { return s }

// BenchmarkCheck checks a log of four processes off line.
func BenchmarkCheck(b *testing.B) {
	for _, bracket := range []bool{false, true} {
		b.Run(fmt.Sprintf("bracket=%t", bracket), func(b *testing.B) {
			const ops = 200_000
			rec := record.New(record.Options{})
			m := rec.Method("next")
			var hs []*record.Handle
			for i := range 4 {
				hs = append(hs, rec.Handle(fmt.Sprint(i)))
			}
			for i := 0; i < ops; i += 4 {
				for _, h := range hs {
					h.Call(m)
					if bracket {
						h.Begin()
					}
				}
				for k, h := range hs {
					h.Commit()
					h.Return(record.Some, record.Int(i+k))
				}
			}
			l, err := rec.Log()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if r, err := Check(context.Background(), l, counterSpec{}, Options{}); err != nil || r.Commits != ops {
					b.Fatal(r, err)
				}
			}
			b.ReportMetric(float64(ops)*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
		})
	}
}
