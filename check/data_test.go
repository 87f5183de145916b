package check_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func containers(tb testing.TB) map[string]*theory.Theory {
	return map[string]*theory.Theory{"atomic-queue": build(tb, queue), "atomic-stack": build(tb, stack)}
}

// readyEach prepares an engine for each theory.
func readyEach(tb testing.TB, engine checking, theories map[string]*theory.Theory) map[string]checking {
	tb.Helper()
	engines := map[string]checking{}
	for object, th := range theories {
		engines[object] = ready(tb, engine, th)
	}
	return engines
}

func TestRecordedSmall(t *testing.T) {
	theories := containers(t)
	engines := readyEach(t, by{Engine: "symbolic"}, theories)
	n, spent := 0, time.Duration(0)
	for _, row := range historytest.Recordings(t) {
		if !strings.HasPrefix(row.File, "small/") && !strings.HasPrefix(row.File, "simple/") {
			continue
		}
		th := theories[row.Object]
		e := row.Read(t, th)
		start := time.Now()
		r, err := engines[row.Object].Check(t.Context(), th, e)
		spent += time.Since(start)
		n++
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		got := row
		got.Ops, got.Linearizable, got.Prefix = len(e.Ops), r.Verdict == check.Linearizable, r.Prefix
		if diff := cmp.Diff(row, got); diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", row.File, r, diff)
		}
	}
	t.Logf("%d logs in %v", n, spent)
}

// TestRecordedLarge checks the logs of 400 operations and more: they may be
// too much for the time given, but never decided wrongly.
func TestRecordedLarge(t *testing.T) {
	const limit = 2 * time.Second
	theories := containers(t)
	engines := readyEach(t, by{Engine: "symbolic"}, theories)
	for _, row := range historytest.Recordings(t) {
		if row.Ops < 400 || row.Ops > 1000 && !testsize.Long() {
			continue
		}
		th := theories[row.Object]
		e := row.Read(t, th)
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := time.Now()
		r, err := engines[row.Object].Check(ctx, th, e)
		spent := time.Since(start)
		cancel()
		t.Logf("%-32s %5d operations: %s %d (%s) in %v", row.File, row.Ops, r.Verdict, r.Prefix, r.Detail, spent.Round(time.Millisecond))
		switch {
		case err != nil:
			t.Errorf("%s: %v", row.File, err)
		case r.Verdict == check.Inconclusive:
		case (r.Verdict == check.Linearizable) != row.Linearizable, r.Detail == "" && r.Prefix != row.Prefix:
			t.Errorf("%s: %+v, want linearizable %v, prefix %d", row.File, r, row.Linearizable, row.Prefix)
		}
	}
}
