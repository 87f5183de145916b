package check_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

// BenchmarkViolation checks and explains one log of about 2,000 operations with a
// violation, as the command does: a new checker for each.
func BenchmarkViolation(b *testing.B) {
	th := historytest.Example(b, "queue")
	for _, n := range []int{950, 1_050} {
		e := swapped(n)
		var log bytes.Buffer
		if err := history.WriteText(&log, e); err != nil {
			b.Fatal(err)
		}
		b.Run(map[bool]string{true: "saturate", false: "monitor"}[n < 1_000], func(b *testing.B) {
			for b.Loop() {
				c, err := check.New(th, check.Options{Explain: true})
				if err != nil {
					b.Fatal(err)
				}
				source := check.Source{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log.Bytes())), nil }}
				err = (&check.Batch{Checker: c}).Run(b.Context(), slices.Values([]check.Source{source}), func(r check.Report) {
					if r.Err != nil || r.Explanation == nil || !r.Explanation.Minimal {
						b.Fatal(r.Err)
					}
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
