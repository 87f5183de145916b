package monitor

import (
	"bufio"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// execution is the execution of actions over the methods of an example.
func (m *model) execution(as []action, events int32) *history.Execution {
	e := &history.Execution{Events: int(events)}
	v := func(n uint64) []history.Value { return []history.Value{history.Value(strconv.Itoa(int(n)))} }
	for i, a := range as {
		o := history.Operation{ID: strconv.Itoa(i + 1), Call: int(a.call) - 1, Return: history.NoReturn}
		o.Method = m.methods[a.method]
		if a.arg != 0 {
			o.Args = v(a.arg)
		}
		if a.ret != never {
			o.Return, o.Outcome = int(a.ret)-1, history.Nil
			found := a.role == remove || a.role == present
			switch {
			case found:
				o.Outcome, o.Rets = history.Some, v(a.value)
			case a.role == add && (m.name == "queue" || m.name == "stack" || m.name == "register"):
				o.Outcome = history.None
			}
		}
		e.Ops = append(e.Ops, o)
	}
	return e
}

// TestAgainstSymbolic compares verdict, shortest prefix and patterns with the
// symbolic engine, which is given the theory, and then only the patterns that
// the result names.
func TestAgainstSymbolic(t *testing.T) {
	for i := range models {
		m := &models[i]
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			th := example(t, m.name)
			en := New()
			r := rand.New(rand.NewPCG(uint64(i), 2))
			counts, longer, explained := map[check.Verdict]int{}, 0, 0
			for k := range histories(300) {
				as, events := small(r, m).history()
				e := m.execution(as, events)
				want, wantErr := check.Symbolic{}.Check(t.Context(), th, e)
				got, err := en.Check(t.Context(), th, e)
				var class *OutsideClass
				switch {
				case errors.As(err, &class):
					counts["outside"]++
					continue
				case wantErr != nil || err != nil:
					t.Fatalf("%d: %v, symbolic: %v\n%s", k, err, wantErr, m.text(as, events))
				case want.Verdict == check.Inconclusive:
					continue
				}
				counts[got.Verdict]++
				if want.Detail != "" && got.Verdict == check.Violation && got.Prefix < want.Prefix {
					longer++
					want.Prefix = got.Prefix // symbolic says that it may be
				}
				if got.Verdict != want.Verdict || got.Prefix != want.Prefix || got.Events != want.Events {
					t.Fatalf("%d: %+v, symbolic: %+v\n%s", k, got, want, m.text(as, events))
				}
				if got.Verdict == check.Violation {
					if r := got; r.Detail == "" || len(r.Patterns) == 0 {
						t.Errorf("%+v: no reason", r)
					}
					explained += enough(t, th, e, got)
				}
			}
			t.Logf("%v, %d shorter than symbolic's, %d explained", counts, longer, explained)
			if explained == 0 || counts[check.Violation] < histories(30) || counts[check.Linearizable] < histories(30) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
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
	theories := map[string]*theory.Theory{"atomic-queue": example(t, "queue"), "atomic-stack": example(t, "stack")}
	en, rows, spent := New(), 0, time.Duration(0)
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
		r, err := en.Check(t.Context(), th, e)
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
