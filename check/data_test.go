package check_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// violin holds the histories of "Monitoring refinement", recorded from the Scal
// suite, if they are there.
const violin = "../../shared/data/violin"

// truth is what two independent deciders say of a log.
type truth struct {
	File         string `json:"file"`
	Object       string `json:"object"`
	Ops          int    `json:"ops"`
	Linearizable bool   `json:"linearizable"`
	Prefix       int    `json:"first_violating_prefix_length"`
}

func truths(tb testing.TB) (rows []truth) {
	tb.Helper()
	f, err := os.Open(filepath.Join(violin, "truth.jsonl"))
	if err != nil {
		tb.Skip("no recorded histories:", err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var row truth
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func readLog(tb testing.TB, t *theory.Theory, path string) *history.Execution {
	tb.Helper()
	sig, err := t.Signature(nil)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	e, err := history.ReadExecution(f, path, sig)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func containers(tb testing.TB) map[string]*theory.Theory {
	return map[string]*theory.Theory{"atomic-queue": build(tb, queue), "atomic-stack": build(tb, stack)}
}

func TestRecordedSmall(t *testing.T) {
	theories := containers(t)
	n, spent := 0, time.Duration(0)
	for _, row := range truths(t) {
		if !strings.HasPrefix(row.File, "small/") && !strings.HasPrefix(row.File, "simple/") {
			continue
		}
		th := theories[row.Object]
		e := readLog(t, th, filepath.Join(violin, row.File))
		start := time.Now()
		r, err := check.Symbolic{}.Check(t.Context(), th, e)
		spent += time.Since(start)
		n++
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		got := truth{row.File, row.Object, len(e.Ops), r.Verdict == check.Linearizable, r.Prefix}
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
	for _, row := range truths(t) {
		if row.Ops < 400 {
			continue
		}
		th := theories[row.Object]
		e := readLog(t, th, filepath.Join(violin, row.File))
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := time.Now()
		r, err := check.Symbolic{}.Check(ctx, th, e)
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
		if spent > limit+200*time.Millisecond {
			t.Errorf("%s: took %v of %v", row.File, spent, limit)
		}
	}
}
