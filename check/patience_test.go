package check

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// deaf is an engine that does not look at its context.
type deaf struct{ release chan struct{} }

func (deaf) name() string { return "deaf" }

func (d deaf) check(context.Context, *history.Execution) (Result, error) {
	<-d.release
	return Result{}, nil
}

// A log is inconclusive when its time is over, and an interrupt ends the batch,
// even if the engine or the source hangs.
func TestBatchPatience(t *testing.T) {
	th := historytest.Example(t, "queue")
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	hanging, hangs := io.Pipe()
	t.Cleanup(func() { hangs.Close() })
	for _, tt := range []struct {
		name   string
		engine engine // nil: auto
		log    io.Reader
		detail string
	}{
		{"engine", deaf{release}, strings.NewReader("[1] call add(1)\n[1] return\n"), "the time limit was reached; it has 1 operation in 2 events"},
		{"source", nil, hanging, "the time limit was reached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := New(th, Options{Timeout: 200 * time.Millisecond}) // time to read the log
			if err != nil {
				t.Fatal(err)
			}
			c.patience = time.Millisecond
			if tt.engine != nil {
				c.engine = tt.engine
			}
			b := &Batch{Checker: c}
			source := Source{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(tt.log), nil }}
			var got Report
			if err := b.Run(t.Context(), slices.Values([]Source{source}), func(r Report) { got = r }); err != nil {
				t.Fatal(err)
			}
			if got.Err != nil || got.Result.Verdict != Inconclusive || got.Result.Detail != tt.detail {
				t.Errorf("the report is %+v", got)
			}
		})
	}
}

// panicking is an engine with an error.
type panicking struct{}

func (panicking) name() string { return "panicking" }

func (panicking) check(_ context.Context, e *history.Execution) (Result, error) {
	if e.Events > 0 {
		panic("no such place")
	}
	return Result{Verdict: Linearizable}, nil
}

// TestBatchPanics: a log at which an engine panics is an error, and the others go on.
func TestBatchPanics(t *testing.T) {
	c, err := New(historytest.Example(t, "queue"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.engine = panicking{}
	empty := Source{Name: "empty", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("")), nil }}
	bad := Source{Name: "bad", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("[1] call add(1)\n[1] return\n")), nil
	}}
	var got []Report
	if err := (&Batch{Checker: c}).Run(t.Context(), slices.Values([]Source{bad, empty}), func(r Report) { got = append(got, r) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1].Err != nil || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), "bad: this is an error in adtinfer, please report it: no such place\n") {
		t.Errorf("the reports are %+v", got)
	}
}

// TestKeysPanic: so is a log at whose keys it panics.
func TestKeysPanic(t *testing.T) {
	f, err := os.Open(filepath.Join(historytest.Root(t), "examples/kv/kv.theory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	th, err := theory.Read(f, "kv")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(th, Options{Engine: wglName})
	if err != nil {
		t.Fatal(err)
	}
	c.engine = panicking{}
	source := Source{Name: "bad", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("[1] call put(a, 1)\n[2] call put(b, 1)\n[1] return\n[2] return\n")), nil
	}}
	var got Report
	if err := (&Batch{Checker: c, ByKey: true, Parallel: 2}).Run(t.Context(), slices.Values([]Source{source}), func(r Report) { got = r }); err != nil {
		t.Fatal(err)
	}
	if got.Err == nil || !strings.Contains(got.Err.Error(), "bad: this is an error in adtinfer, please report it: no such place\n") {
		t.Errorf("the report is %+v", got)
	}
}
