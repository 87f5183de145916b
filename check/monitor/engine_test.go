package monitor_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/monitor"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// TestAgainstSymbolic compares verdict, shortest prefix and patterns with the
// symbolic engine, which is given the theory, and then only the patterns that
// the result names.
func TestAgainstSymbolic(t *testing.T) {
	for i, name := range monitor.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			th := example(t, name)
			en := selected(t, th)
			r := rand.New(rand.NewPCG(uint64(i), 2))
			counts, longer, explained := map[check.Verdict]int{}, 0, 0
			for k := range monitor.Histories(300) {
				e := monitor.Small(r, name)
				want, wantErr := check.Symbolic{}.Check(t.Context(), th, e)
				got, err := en.Check(t.Context(), th, e)
				var class *monitor.OutsideClass
				switch {
				case errors.As(err, &class):
					counts["outside"]++
					continue
				case wantErr != nil || err != nil:
					t.Fatalf("%d: %v, symbolic: %v\n%s", k, err, wantErr, e)
				case want.Verdict == check.Inconclusive:
					continue
				}
				counts[got.Verdict]++
				if want.Detail != "" && got.Verdict == check.Violation && got.Prefix < want.Prefix {
					longer++
					want.Prefix = got.Prefix // symbolic says that it may be
				}
				if got.Verdict != want.Verdict || got.Prefix != want.Prefix || got.Events != want.Events {
					t.Fatalf("%d: %+v, symbolic: %+v\n%s", k, got, want, e)
				}
				if got.Verdict == check.Violation {
					if r := got; r.Detail == "" || len(r.Patterns) == 0 {
						t.Errorf("%+v: no reason", r)
					}
					explained += enough(t, th, e, got)
				}
			}
			t.Logf("%v, %d shorter than symbolic's, %d explained", counts, longer, explained)
			if explained == 0 || counts[check.Violation] < monitor.Histories(30) || counts[check.Linearizable] < monitor.Histories(30) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

func selected(tb testing.TB, th *theory.Theory) check.Monitor {
	tb.Helper()
	m, err := selectFor(tb, th)
	if err != nil {
		tb.Fatal(err)
	}
	return check.Monitor{Selected: m}
}

// enough tests that the named patterns exclude the shortest violating prefix.
// It counts prefixes without pending operations, the others it leaves out.
func enough(t *testing.T, th *theory.Theory, e *history.Execution, r check.Result) int {
	t.Helper()
	prefix := e.Prefix(r.Prefix)
	for i := range prefix.Ops {
		if !prefix.Ops[i].Completed() {
			return 0
		}
	}
	few := *th
	few.Spec.Patterns = nil
	for _, p := range th.Spec.Patterns {
		if slices.Contains(r.Patterns, p.Name) {
			few.Spec.Patterns = append(few.Spec.Patterns, p)
		}
	}
	s, err := check.Symbolic{}.Check(t.Context(), &few, prefix)
	if err != nil || s.Verdict != check.Violation {
		t.Errorf("%+v: with these patterns alone: %+v, %v\n%s", r, s, err, e)
	}
	return 1
}

// TestRecorded decides recorded histories, if they are there.
func TestRecorded(t *testing.T) {
	const root = "../../../shared/data/violin"
	truth, err := os.Open(filepath.Join(root, "truth.jsonl"))
	if err != nil {
		t.Skip("no recorded histories beside the project")
	}
	defer truth.Close()
	engines := map[string]check.Monitor{}
	theories := map[string]*theory.Theory{"atomic-queue": example(t, "queue"), "atomic-stack": example(t, "stack")}
	for name, th := range theories {
		engines[name] = selected(t, th)
	}
	rows, spent := 0, time.Duration(0)
	for s := bufio.NewScanner(truth); s.Scan(); rows++ {
		var row struct {
			File, Object string
			Linearizable bool
			Prefix       int `json:"first_violating_prefix_length"`
		}
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		th := theories[strings.TrimSpace(row.Object)]
		e := readLog(t, th, filepath.Join(root, row.File))
		start := time.Now()
		r, err := engines[strings.TrimSpace(row.Object)].Check(t.Context(), th, e)
		spent += time.Since(start)
		if err != nil || (r.Verdict == check.Linearizable) != row.Linearizable || r.Prefix != row.Prefix {
			t.Errorf("%s: %+v, %v; want %v, %d", row.File, r, err, row.Linearizable, row.Prefix)
		}
	}
	t.Logf("%d histories in %v", rows, spent)
}

func readLog(tb testing.TB, th *theory.Theory, path string) *history.Execution {
	tb.Helper()
	sig, err := th.Signature(nil)
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

// At equal times the calls come first: what ends and what begins at one time
// overlap.
func TestTies(t *testing.T) {
	const log = `{"op":1,"event":"call","method":"add","args":[1],"time":1}
{"op":1,"event":"return","time":2}
{"op":2,"event":"call","method":"add","args":[2],"time":%s}
{"op":2,"event":"return","time":4}
{"op":3,"event":"call","method":"remove","time":5}
{"op":3,"event":"return","rets":[2],"time":6}
`
	th := example(t, "queue")
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	for time, want := range map[string]check.Verdict{"2": check.Linearizable, "3": check.Violation} {
		e, err := history.ReadExecution(strings.NewReader(fmt.Sprintf(log, time)), "x.jsonl", sig)
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Monitor{}.Check(t.Context(), th, e)
		if err != nil || r.Verdict != want {
			t.Errorf("second add at time %s: %+v, %v", time, r, err)
		}
	}
}

// BenchmarkRead turns an execution of 1,000,000 operations into columns.
func BenchmarkRead(b *testing.B) {
	m, e := selected(b, example(b, "queue")).Selected, monitor.Long(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		if err := m.Read(e); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSelect recognizes theories.
func BenchmarkSelect(b *testing.B) {
	for _, name := range monitor.Names() {
		b.Run(name, func(b *testing.B) {
			th := example(b, name)
			for b.Loop() {
				if _, err := selectFor(b, th); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
