//go:build !adtinfer_norecord

package refine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
)

// recordPops records a push and so many pops of its value, one after the other.
func recordPops(rec *record.Recorder, pops int) {
	h, push, pop := rec.Handle("p"), rec.Method("push"), rec.Method("pop")
	h.Call(push, record.Int(1))
	h.Commit()
	h.Return(record.None)
	for range pops {
		h.Call(pop)
		h.Commit()
		h.Return(record.Some, record.Int(1))
	}
}

// TestStopInsideOnViolation stops the watcher where the violation is told, and
// again elsewhere.
func TestStopInsideOnViolation(t *testing.T) {
	for _, inner := range []bool{false, true} {
		rec := record.New(record.Options{})
		var w *Watcher
		told := make(chan Result, 1)
		ready := make(chan bool)
		w, err := Watch(rec, stackSpec{}, Options{OnViolation: func(r Result) {
			<-ready
			if inner {
				func() { r, _ = w.Stop(context.Background()) }()
			}
			told <- r
		}})
		if err != nil {
			t.Fatal(err)
		}
		close(ready)
		recordPops(rec, 2)
		select {
		case r := <-told:
			if r.Verdict != check.Violation || r.Blame != Unknown || r.Op == nil || r.Op.ID != 3 {
				t.Errorf("inside: %v", r)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("Stop inside OnViolation does not return")
		}
		r, err := w.Stop(context.Background())
		if err != nil || r.Verdict != check.Violation || r.Blame != Implementation {
			t.Errorf("outside: %v, %v", r, err)
		}
	}
}

// slow is a stack whose steps are counted; one of them ends the context, and on
// a watcher those after it wait.
type slow struct {
	stackSpec
	cancel context.CancelFunc
	hold   chan bool
	steps  *int
}

func (s slow) Step(st []int64, op *Op) ([]int64, bool) {
	if *s.steps++; *s.steps == 100 {
		s.cancel()
		if s.hold != nil {
			<-s.hold
		}
	}
	return s.stackSpec.Step(st, op)
}

// TestContextBoundsChecks ends the context in the middle of a check.
func TestContextBoundsChecks(t *testing.T) {
	rec := record.New(record.Options{})
	h, push := rec.Handle("p"), rec.Method("push")
	for range 1000 {
		h.Call(push, record.Int(1))
		h.Commit()
		h.Return(record.None)
	}
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	for name, checkLog := range map[string]func(context.Context, *record.Log, Spec[[]int64], Options) (Result, error){
		"Check": Check[[]int64], "CheckLinearizable": CheckLinearizable[[]int64]} {
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		r, err := checkLog(ctx, l, slow{cancel: cancel, steps: &steps}, Options{})
		if err != nil || r.Verdict != check.Inconclusive || !strings.Contains(r.Detail, "interrupted") || steps > 150 {
			t.Errorf("%s: %v, %v after %d steps", name, r, err, steps)
		}
		r, err = checkLog(ctx, l, stackSpec{}, Options{})
		if err != nil || r.Verdict != check.Inconclusive {
			t.Errorf("%s, the context has ended: %v, %v", name, r, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps, hold := 0, make(chan bool)
	w, err := Watch(rec, slow{cancel: cancel, steps: &steps, hold: hold}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Stop(ctx)
	if err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("Stop: %v, %v", r, err)
	}
	close(hold)
	if r, err := w.Stop(context.Background()); err != nil || r.Verdict != check.Inconclusive || steps > 150 {
		t.Errorf("Stop again: %v, %v after %d steps", r, err, steps)
	}
}

// TestRawBytes looks for control characters in what is said of a log.
func TestRawBytes(t *testing.T) {
	rec := record.New(record.Options{})
	h := rec.Handle("p\x1b[2J\n")
	h.Call(rec.Method("push"), h.Text("a\r\x07"))
	h.Return(record.None)
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Check(context.Background(), l, stackSpec{}, Options{})
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\r\x07\n") || !strings.Contains(err.Error(), `process p\x1b[2J\n, operation [1] push("a\r\a")`) {
		t.Errorf("%v", err)
	}
	r := Result{Verdict: check.Violation, Op: &Op{ID: 1, Method: "x\x1b"}, Reason: "r\n"}
	if strings.ContainsAny(r.String(), "\x1b\n") {
		t.Errorf("%q", r)
	}
}
