//go:build !adtinfer_norecord

package refine

import (
	"context"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
)

// both checks a recording off line and on line.
func both(t *testing.T, work func(rec *record.Recorder)) (results [2]Result, errs [2]error) {
	t.Helper()
	rec := record.New(record.Options{})
	w, err := Watch(rec, stackSpec{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	work(rec)
	l, err := rec.Log()
	if errs[0] = err; err == nil {
		results[0], errs[0] = Check(context.Background(), l, stackSpec{}, Options{})
	}
	results[1], errs[1] = w.Stop(context.Background())
	return results, errs
}

// push and pop record an operation of a stack.
func push(rec *record.Recorder, h *record.Handle, v int) {
	h.Call(rec.Method("push"), record.Int(v))
	h.Commit()
	h.Return(record.None)
}

func pop(rec *record.Recorder, h *record.Handle, v int) {
	h.Call(rec.Method("pop"))
	h.Commit()
	h.Return(record.Some, record.Int(v))
}

// What ends a recording too soon takes no violation back, and does not pass for a
// verdict where there was none. Nobody is blamed for what may be as it should.
func TestEnds(t *testing.T) {
	write := func(rec *record.Recorder, h *record.Handle) { h.Write(rec.Variable("v"), 0, record.Int(1)) }
	for name, end := range map[string]struct {
		do    func(rec *record.Recorder, h *record.Handle)
		want  string // in the detail
		wrong bool   // a mistake for sure: an error where there is no violation
	}{
		"write not published": {write, "a write outside of operations was not published", false},
		"and others go on": {func(rec *record.Recorder, h *record.Handle) { write(rec, h); push(rec, rec.Handle("q"), 3) },
			"at least 4 of its entries", false},
		"write of an operation that runs": {func(rec *record.Recorder, h *record.Handle) { h.Call(rec.Method("push"), record.Int(5)); write(rec, h) },
			"at least 1 of its entries: an operation still ran", false},
		"two commits": {func(rec *record.Recorder, h *record.Handle) {
			h.Call(rec.Method("push"), record.Int(4))
			h.Commit()
			h.Commit()
		},
			"commits twice", true},
		"return missing": {func(rec *record.Recorder, h *record.Handle) {
			h.Call(rec.Method("push"), record.Int(4))
			push(rec, h, 5)
		},
			"a Return is missing", true},
	} {
		for popped, verdict := range map[int]check.Verdict{1: check.Inconclusive, 7: check.Violation} {
			results, errs := both(t, func(rec *record.Recorder) {
				h := rec.Handle("p")
				push(rec, h, 1)
				pop(rec, h, popped)
				for range 4 {
					push(rec, h, 2)
				}
				end.do(rec, h)
			})
			for i, where := range []string{"off line", "on line"} {
				r, err := results[i], errs[i]
				switch {
				case end.wrong && (verdict != check.Violation || i == 0 && name == "return missing"):
					// The whole log is worth nothing, or nothing was found in it before.
					if err == nil || !strings.Contains(err.Error(), end.want) {
						t.Errorf("%s, %s, popped %d: %v, %v", name, where, popped, r, err)
					}
				case err != nil || r.Verdict != verdict || !strings.Contains(r.Detail, end.want):
					t.Errorf("%s, %s, popped %d: %v, %v; want %s", name, where, popped, r, err, verdict)
				case i == 0 && verdict == check.Violation && r.Blame != Implementation:
					t.Errorf("%s, popped %d: %s is to blame", name, popped, r.Blame)
				}
			}
		}
	}
}

// Nothing recorded is nothing checked.
func TestNothingRecorded(t *testing.T) {
	results, errs := both(t, func(rec *record.Recorder) { rec.Handle("p").Close() })
	for i, r := range results {
		if errs[i] != nil || r.Verdict != check.Inconclusive || r.Detail != "no violation in what is there; no operation was recorded" {
			t.Errorf("%v, %v", r, errs[i])
		}
	}
}
