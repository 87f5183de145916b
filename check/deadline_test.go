package check_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// Wide and long logs end with their time, whoever decides them, and say how large they are.
func TestDeadline(t *testing.T) {
	testsize.NeedsLong(t)
	const limit, overrun = 500 * time.Millisecond, 1500 * time.Millisecond
	for _, data := range []historytest.Type{historytest.Queue(), historytest.Stack(), historytest.Semaphore(), historytest.Register()} {
		var th *theory.Theory
		if data.Name == "semaphore" {
			th = historytest.Theory(t, "theories/semaphore.theory.yaml")
		} else {
			th = historytest.Example(t, data.Name)
		}
		for _, width := range []int{64, 128} {
			var b strings.Builder
			e := data.Execution(rand.New(rand.NewPCG(uint64(width), 1)), 10_000, width, 1)
			if err := history.WriteText(&b, e); err != nil {
				t.Fatal(err)
			}
			log, size := b.String(), wording.Count(len(e.Ops), "operation")
			for _, engine := range []string{"auto", "saturate", "monitor", "symbolic", "wgl"} {
				t.Run(fmt.Sprintf("%s/%d/%s", data.Name, width, engine), func(t *testing.T) {
					o := check.Options{Engine: engine, Timeout: limit}
					if engine == "wgl" && data.Name != "semaphore" {
						o.Model = data.Name
					}
					c, err := check.New(th, o)
					if err != nil {
						t.Skip(err)
					}
					s := check.Source{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}
					start := time.Now()
					err = (&check.Batch{Checker: c}).Run(t.Context(), slices.Values([]check.Source{s}), func(r check.Report) {
						t.Logf("%v %v %q", r.Took, r.Result.Verdict, r.Result.Detail)
						if r.Err != nil {
							t.Skip(r.Err)
						}
						if r.Result.Verdict == check.Inconclusive && !strings.Contains(r.Result.Detail, size) && !strings.Contains(r.Result.Detail, "bytes had been read") {
							t.Errorf("it does not say how large the log is: %+v", r.Result)
						}
					})
					if took := time.Since(start); err != nil || took > limit+overrun {
						t.Errorf("it took %v, %v", took, err)
					}
				})
			}
		}
	}
}
