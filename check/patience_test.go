package check_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// deaf is an engine that does not look at its context.
type deaf struct{ release chan struct{} }

func (deaf) Name() string { return "deaf" }

func (d deaf) Check(context.Context, *theory.Theory, *history.Execution) (check.Result, error) {
	<-d.release
	return check.Result{}, nil
}

// A log is inconclusive when its time is over, and an interrupt ends the batch,
// even if the engine or the source hangs.
func TestBatchPatience(t *testing.T) {
	th := historytest.Example(t, "queue")
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	hanging, hangs := io.Pipe()
	t.Cleanup(func() { hangs.Close() })
	for _, tt := range []struct {
		name   string
		engine check.Engine
		log    io.Reader
	}{
		{"engine", deaf{release}, strings.NewReader("[1] call add(1)\n[1] return\n")},
		{"source", check.Auto{}, hanging},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := &check.Batch{Engine: tt.engine, Theory: th, Signature: sig, Timeout: time.Millisecond}
			source := check.Source{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(tt.log), nil }}
			var got check.Report
			if err := b.Run(t.Context(), []check.Source{source}, func(r check.Report) { got = r }); err != nil {
				t.Fatal(err)
			}
			if got.Err != nil || got.Result.Verdict != check.Inconclusive || got.Result.Detail != "the time limit was reached" {
				t.Errorf("the report is %+v", got)
			}
		})
	}
}
