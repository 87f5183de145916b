package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/reference"
)

// expiring is a context whose time is over when it was asked for so many times.
type expiring struct {
	context.Context
	left atomic.Int64
	over chan struct{}
	once sync.Once
}

func expiringAfter(n int64) *expiring {
	e := &expiring{Context: context.Background(), over: make(chan struct{})}
	e.left.Store(n)
	return e
}

func (e *expiring) asked() bool {
	if e.left.Add(-1) >= 0 {
		return false
	}
	e.once.Do(func() { close(e.over) })
	return true
}

func (e *expiring) Done() <-chan struct{} { e.asked(); return e.over }
func (e *expiring) Err() error {
	if e.asked() {
		return context.DeadlineExceeded
	}
	return nil
}

// heldQueue is a queue.
type heldQueue struct{ items []int }

func (q *heldQueue) Add(v int) { q.items = append(q.items, v) }
func (q *heldQueue) Remove() (v int, ok bool) {
	if len(q.items) > 0 {
		v, ok, q.items = q.items[0], true, slices.Clone(q.items[1:])
	}
	return v, ok
}

// violations are logs with what finds them wrong, in the ways in which something is left out before it is explained:
// operations that failed, those of other keys, those that may fail.
func violations(t *testing.T) []violating {
	t.Helper()
	impl, err := reference.New(reference.Spec{Name: "queue", New: func() *heldQueue { return &heldQueue{} }})
	if err != nil {
		t.Fatal(err)
	}
	all := []violating{
		{"hidden operations", "examples/boundedqueue/boundedqueue", check.Options{}, []string{"[0] call offer(0)", "[1] call offer(1)", "[p] call poll", "[0] return false", "[1] return true", "[p] return 9999"}},
		{"hidden operations, by values", "examples/boundedqueue/boundedqueue", check.Options{}, []string{"[1] call offer(1)", "[2] call poll", "[2] return 1", "[1] return false"}},
		{"failures", "theories/queue", check.Options{MayFail: []string{"remove=nil"}}, []string{"[1] call add(1)", "[2] call remove", "[2] return -", "[1] return", "[3] call remove", "[4] call remove", "[3] return 1", "[4] return 1"}},
		{"keys", "examples/kv/kv", check.Options{}, []string{"[1] call put(a, 1)", "[2] call put(b, 2)", "[2] return", "[1] return", "[3] call get(b)", "[4] call get(a)", "[4] return 1", "[3] return 1"}},
		{"sets", "examples/set/set", check.Options{}, []string{"[1] call insert(1)", "[2] call insert(2)", "[1] return -", "[2] return -", "[3] call contains(1)", "[3] return -"}},
		{"patterns", "theories/stack", check.Options{}, []string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[3] call remove", "[2] return", "[4] call remove", "[4] return 1", "[5] call add(5)", "[3] return 1"}},
		{"axioms", "theories/plainset", check.Options{}, []string{"[1] call add(1)", "[2] call remove(1)", "[1] return", "[2] return", "[3] call contains(2)", "[3] return true"}},
		{"an automaton", "examples/mutex/mutex", check.Options{}, []string{"[1] call tryLock", "[1] return true", "[2] call tryLock", "[3] call tryLock", "[2] return true", "[3] return false"}},
		{"a model", "", check.Options{Model: "queue"}, []string{"[1] call add(1)", "[2] call add(2)", "[1] return", "[2] return", "[3] call remove", "[3] return 3"}},
		{"a reference", "", check.Options{Reference: impl}, []string{"[1] call add(1)", "[2] call add(2)", "[1] return", "[2] return", "[3] call remove", "[3] return 3"}},
	}
	var long []string // so that explaining it takes many steps
	for i := range 60 {
		long = append(long, fmt.Sprintf("[a%d] call add(%d)", i, i), fmt.Sprintf("[r%d] call remove", i), fmt.Sprintf("[a%d] return", i), fmt.Sprintf("[r%d] return %d", i, (i+30)%60))
	}
	return append(all, violating{"many operations", "examples/queue/queue", check.Options{}, long})
}

type violating struct {
	name, theory string
	o            check.Options
	log          []string
}

// TestUnfinishedExplanations: whenever the time for an explanation is over, it is nothing or a value that all formats
// print; none of them panics, and what they print is well formed.
func TestUnfinishedExplanations(t *testing.T) {
	for _, tt := range violations(t) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := tt.o
			o.Explain = true
			var c *check.Checker
			var err error
			if tt.theory == "" {
				c, err = check.New(nil, o)
			} else {
				c, err = check.New(historytest.Theory(t, tt.theory+".theory.yaml"), o)
			}
			if err != nil {
				t.Fatal(err)
			}
			e, err := c.ReadLog(strings.NewReader(strings.Join(tt.log, "\n")+"\n"), "run.log")
			if err != nil {
				t.Fatal(err)
			}
			res, err := c.Check(t.Context(), e)
			if err != nil || res.Verdict != check.Violation {
				t.Fatal(res, err)
			}
			points := unfinished(t, c, e, res)
			for _, wait := range testsize.Some([]time.Duration{1, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 8_000_000}, 7) {
				deadline(t, c, o, strings.Join(tt.log, "\n")+"\n", wait)
			}
			t.Log(points, "points in time")
		})
	}
}

// unfinished ends explanation and evidence at every point, up to those that are not ended. In plain runs some points
// are left out.
func unfinished(t *testing.T, c *check.Checker, e *history.Execution, res check.Result) (points int) {
	t.Helper()
	step, violating := int64(1), map[string]bool{}
	for n := int64(0); ; n += step {
		ctx := expiringAfter(n)
		r := check.Report{Name: "run.log", Result: res, Ops: len(e.Ops), Coverage: history.Of(e)}
		x, err := c.Explain(ctx, e, res)
		if err == nil {
			r.Explanation = x
			wellFormed(t, x)
			if text := historytest.Text(x.Execution); !violating[text] { // however little was left out
				own, err := c.Check(t.Context(), x.Execution)
				if violating[text] = true; err != nil || own.Verdict != check.Violation {
					t.Fatalf("%d: %v, %v\n%s", n, own, err, text)
				}
			}
		}
		if r.Evidence, err = c.Witness(expiringAfter(n), e, res); err != nil {
			r.Unproved = err.Error()
		} else if err := evidence.Write(io.Discard, r.Evidence); err != nil {
			t.Fatal(n, err)
		}
		printed(t, r, e)
		points++
		if ctx.left.Load() > 0 {
			return points
		}
		if !testsize.Long() {
			step = 1 + n/2
		}
	}
}

// wellFormed: an explanation has a reason for not being minimal, and its events are those of its operations.
func wellFormed(t *testing.T, x *check.Explanation) {
	t.Helper()
	events := make([]int, x.Execution.Events)
	for i := range x.Execution.Ops {
		o := &x.Execution.Ops[i]
		if events[o.Call]++; o.Completed() {
			events[o.Return]++
		}
	}
	if slices.ContainsFunc(events, func(n int) bool { return n != 1 }) || len(x.Execution.Ops) == 0 || x.Minimal != (x.Detail == "") {
		t.Fatalf("%v, %+v\n%s", events, x, historytest.Text(x.Execution))
	}
}

// deadline checks a log as a batch does, in so little time.
func deadline(t *testing.T, c *check.Checker, o check.Options, log string, wait time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }
	err := (&check.Batch{Checker: c}).Run(ctx, slices.Values([]check.Source{{Name: "run.log", Open: open}}), func(r check.Report) {
		if r.Explanation != nil {
			wellFormed(t, r.Explanation)
		}
		printed(t, r, nil)
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

// printed prints a report in all formats, and as the page of a single log.
func printed(t *testing.T, r check.Report, e *history.Execution) {
	t.Helper()
	for _, f := range verdictFormats() {
		var b, errs bytes.Buffer
		st := streams{out: &b, err: &errs, log: slog.New(slog.DiscardHandler)}
		o := checkOptions{format: f.name, output: filepath.Join(t.TempDir(), "run.html"), summary: filepath.Join(t.TempDir(), "summary.md")}
		p, err := o.newReporter(st)
		if err != nil {
			t.Fatal(err)
		}
		if p.page != nil && e != nil {
			p.page.log = func(memory.Reader) (*page.Log, error) { return &page.Log{Execution: e}, nil }
			p.page.prove = func(context.Context, *history.Execution, check.Result) (*evidence.Evidence, error) {
				return nil, context.Canceled
			}
		}
		if err := p.report(r); err != nil {
			t.Fatal(f.name, err)
		}
		if err := p.end(t.Context()); err != nil && !isSilent(err) {
			t.Fatal(f.name, err)
		}
		switch f.name {
		case "json", "sarif":
			if !json.Valid(b.Bytes()) {
				t.Fatalf("%s: %s", f.name, b.String())
			}
		case "junit":
			if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
				t.Fatalf("%s: %v\n%s", f.name, err, b.String())
			}
		case pageFormat:
			text, err := os.ReadFile(o.output)
			if err != nil || !strings.Contains(string(text), "</html>") {
				t.Fatalf("%v: %s", err, text)
			}
		}
		if b.Len() == 0 {
			t.Fatal(f.name, "prints nothing")
		}
	}
}
