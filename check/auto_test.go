package check_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestAutoAgrees compares with the symbolic engine. Where that one does not
// know because of a part of the execution, auto may know because of another.
func TestAutoAgrees(t *testing.T) {
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			auto, symbolic := ready(t, by{}, th), ready(t, by{Engine: "symbolic"}, th)
			counts := map[string]int{}
			for seed := range testsize.Samples(500) {
				r := rand.New(rand.NewPCG(seed, 43))
				e := s.Execution(r, 2+r.IntN(7), 1+r.IntN(4), 4)
				want, wantErr := symbolic.Check(t.Context(), th, e)
				got, err := auto.Check(t.Context(), th, e)
				if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
					t.Fatalf("seed %d: %v, symbolic says %v\n%s", seed, err, wantErr, historytest.Text(e))
				}
				counts[got.Engine+" "+string(got.Verdict)]++
				if got.Verdict == check.Violation && want.Verdict == check.Inconclusive && s.Model.ShortestViolation(e) > 0 {
					continue
				}
				if got.Verdict != want.Verdict || got.Detail == "" && want.Detail == "" && got.Prefix != want.Prefix {
					t.Fatalf("seed %d: %+v, symbolic says %+v\n%s", seed, got, want, historytest.Text(e))
				}
			}
			t.Log(counts)
		})
	}
}

// TestAutoRecorded checks the recorded histories, under ADTINFER_LONG one of the large
// ones included.
func TestAutoRecorded(t *testing.T) {
	theories := containers(t)
	engines := readyEach(t, by{}, theories)
	large := 1
	if testsize.Long() {
		large = 0
	}
	for _, row := range historytest.Recordings(t) {
		if row.Ops > 1000 {
			if large++; large > 1 {
				continue
			}
		}
		th := theories[row.Object]
		e := row.Read(t, th)
		r, err := engines[row.Object].Check(t.Context(), th, e)
		if err != nil || (r.Verdict == check.Linearizable) != row.Linearizable || r.Prefix != row.Prefix {
			t.Errorf("%s: %+v, %v; want linearizable %v, prefix %d", row.File, r, err, row.Linearizable, row.Prefix)
		}
	}
}

func TestAutoInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := by{}.Check(ctx, build(t, queue), crowd(30))
	if err != nil || r.Verdict == check.Violation || r.Verdict == check.Linearizable || r.Detail == "" {
		t.Errorf("%+v, %v", r, err)
	}
}

// BenchmarkAutoSmall checks the small recorded logs, reading included, two at a
// time.
func BenchmarkAutoSmall(b *testing.B) {
	theories := containers(b)
	sources := map[string][]check.Source{}
	for _, row := range historytest.Recordings(b) {
		if strings.HasPrefix(row.File, "small/") {
			path := row.Path()
			sources[row.Object] = append(sources[row.Object], check.Source{Name: path, Open: opener(path)})
		}
	}
	for _, engine := range []by{{}, {Engine: "symbolic"}} {
		b.Run(engine.Name(), func(b *testing.B) {
			n := 0
			for b.Loop() {
				for object, some := range sources {
					th := theories[object]
					c, err := check.New(th, check.Options(engine))
					if err != nil {
						b.Fatal(err)
					}
					batch := check.Batch{Checker: c, Parallel: min(2, runtime.GOMAXPROCS(0))}
					err = batch.Run(b.Context(), slices.Values(some), func(r check.Report) { err = errors.Join(err, r.Err) })
					if err != nil {
						b.Fatal(err)
					}
					n += len(some)
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "logs/s")
		})
	}
}

func opener(path string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(path) }
}
