package check_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// Read and decided in one go, logs have the verdicts that they have as executions.
func TestDirect(t *testing.T) {
	direct, violating, n := 0, 0, testsize.Samples(120)
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			th := build(t, s.source)
			b := batchOf(t, th, by{Engine: "monitor"})
			var log, lines, binary bytes.Buffer
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 13))
				ops := 2 + r.IntN(8)
				if seed%10 == 0 {
					ops = 200
				}
				e := s.Execution(r, ops, 1+r.IntN(4), []int{5, 1000}[seed%2])
				log.Reset()
				if err := history.WriteText(&log, e); err != nil {
					t.Fatal(err)
				}
				want, got := wholeReportOf(t, b, log.String()), reportOf(t, b, log.String())
				if got.Err == nil && got.Result.Verdict == check.Linearizable {
					direct++
				}
				if got.Err == nil && got.Result.Verdict == check.Violation {
					violating++
				}
				if d := cmp.Diff(append(withoutLines(want), want.At), append(withoutLines(got), got.At)); d != "" {
					t.Fatalf("as a whole (-), in one go (+):\n%s%s", d, log.String())
				}
				lines.Reset()
				if err := history.WriteJSON(&lines, e); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(withoutLines(want), withoutLines(reportOf(t, b, lines.String()))); d != "" {
					t.Fatalf("as text (-), as JSON Lines (+):\n%s%s", d, log.String())
				}
				timed := withTimes(r, lines.String())
				if d := cmp.Diff(withoutLines(wholeReportOf(t, b, timed)), withoutLines(reportOf(t, b, timed))); d != "" {
					t.Fatalf("as a whole (-), in one go (+):\n%s%s", d, timed)
				}
				binary.Reset()
				if err := history.NewReader(strings.NewReader(log.String()), "x").Convert(t.Context(), &binary, history.Binary); err != nil {
					t.Fatal(err)
				}
				got = reportOf(t, b, binary.String())
				if d := cmp.Diff(withoutLines(want), withoutLines(got)); d != "" {
					t.Fatalf("as text (-), binary (+):\n%s%s", d, log.String())
				}
			}
		})
	}
	if violating < int(n) {
		t.Errorf("only %d logs were violations", violating)
	}
	if direct < int(n)*5/6 {
		t.Errorf("only %d logs were linearizable", direct)
	}
}

// withTimes gives the events of a JSON Lines log times, some of them the same.
func withTimes(r *rand.Rand, log string) string {
	var b strings.Builder
	now := 0
	for _, line := range strings.SplitAfter(log, "\n") {
		if end := strings.LastIndex(line, "}"); strings.HasPrefix(line, `{"op"`) {
			now += r.IntN(3)
			line = fmt.Sprintf("%s,\"time\":%d}\n", line[:end], now)
		}
		b.WriteString(line)
	}
	return b.String()
}

func reportOf(t *testing.T, b *logBatch, src string) (r check.Report) {
	t.Helper()
	b.Direct(1)
	return run(t, b, src)
}

// wholeReportOf is the report on a log that is read as a whole first.
func wholeReportOf(t *testing.T, b *logBatch, src string) check.Report {
	t.Helper()
	b.Direct(math.MaxInt)
	return run(t, b, src)
}

func run(t *testing.T, b *logBatch, src string) (r check.Report) {
	t.Helper()
	source := check.Source{Name: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(src)), nil }}
	if err := b.Run(context.Background(), []check.Source{source}, func(one check.Report) { r = one }); err != nil {
		t.Fatal(err)
	}
	return r
}

// withoutLines is a report in words, with nothing that depends on lines.
func withoutLines(r check.Report) []any {
	failed := ""
	if r.Err != nil {
		failed, _, _ = strings.Cut(r.Err.Error(), " at x:")
	}
	return []any{r.Ops, r.Coverage.Text(r.Kinds), r.Result.Verdict, r.Result.Engine, r.Result.Events, r.Result.Prefix,
		r.Result.Patterns, r.Result.Procedure, r.Result.Detail, failed}
}
