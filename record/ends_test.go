package record

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// both checks a recording off line and on line.
func both(t *testing.T, work func(rec *Recorder)) (results [2]Result, errs [2]error) {
	t.Helper()
	rec := New(Options{})
	c := Config[[]int64]{Spec: stackSpec{}}
	w, err := Watch(rec, c, WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	work(rec)
	l, err := rec.Log()
	if errs[0] = err; err == nil {
		results[0], errs[0] = CheckIO(context.Background(), l, c)
	}
	results[1], errs[1] = w.Stop(context.Background())
	return results, errs
}

// push and pop record an operation of a stack.
func push(rec *Recorder, h *Handle, v int) {
	h.Call(rec.Method("push"), Int(v))
	h.Commit()
	h.Return(None)
}

func pop(rec *Recorder, h *Handle, v int) {
	h.Call(rec.Method("pop"))
	h.Commit()
	h.Return(Some, Int(v))
}

// What ends a recording too soon takes no violation back, and does not pass for a
// verdict where there was none. Nobody is blamed for what may be as it should.
func TestEnds(t *testing.T) {
	write := func(rec *Recorder, h *Handle) { h.Write(rec.Variable("v"), 0, Int(1)) }
	for name, end := range map[string]struct {
		do    func(rec *Recorder, h *Handle)
		want  string // in the detail
		wrong bool   // a mistake for sure: an error where there is no violation
	}{
		"write not published": {write, "a write outside of operations was not published", false},
		"and others go on": {func(rec *Recorder, h *Handle) { write(rec, h); push(rec, rec.Handle("q"), 3) },
			"at least 4 of its entries", false},
		"write of an operation that runs": {func(rec *Recorder, h *Handle) { h.Call(rec.Method("push"), Int(5)); write(rec, h) },
			"at least 1 of its entries: an operation still ran", false},
		"entry overwritten": {func(rec *Recorder, h *Handle) { push(rec, h, 3); h.n--; push(rec, h, 4) },
			"or two goroutines used one Handle", false},
		"entry overwritten, all done": {func(rec *Recorder, h *Handle) { h.n--; push(rec, h, 4); h.Close() },
			"two goroutines used one Handle", true},
		"two commits": {func(rec *Recorder, h *Handle) { h.Call(rec.Method("push"), Int(4)); h.Commit(); h.Commit() },
			"commits twice", true},
		"return missing": {func(rec *Recorder, h *Handle) { h.Call(rec.Method("push"), Int(4)); push(rec, h, 5) },
			"a Return is missing", true},
	} {
		for popped, verdict := range map[int]check.Verdict{1: check.Inconclusive, 7: check.Violation} {
			results, errs := both(t, func(rec *Recorder) {
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
				case end.wrong && (verdict != check.Violation || i == 0 && strings.Contains(name, "overwritten") || i == 0 && name == "return missing"):
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

// A log that is taken while goroutines record is what they published, and never
// says that they made a mistake.
func TestLogWhileRecording(t *testing.T) {
	for range testsize.Samples(100) {
		rec := New(Options{})
		var wg sync.WaitGroup
		for p := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				h := rec.Handle("p")
				for i := range 2_000 {
					push(rec, h, i)
					if p == 0 && i%10 == 0 {
						h.Close()
						h = rec.Handle("p")
					}
				}
			}()
		}
		for range 20 {
			if _, err := rec.Log(); err != nil {
				t.Fatal(err)
			}
		}
		wg.Wait()
		if l, err := rec.Log(); err != nil || l.Missing != 0 || l.count != 3*2_000*3 {
			t.Fatal(l, err)
		}
	}
}

// Nothing recorded is nothing checked.
func TestNothingRecorded(t *testing.T) {
	results, errs := both(t, func(rec *Recorder) { rec.Handle("p").Close() })
	for i, r := range results {
		if errs[i] != nil || r.Verdict != check.Inconclusive || r.Detail != "no violation in what is there; no operation was recorded" {
			t.Errorf("%v, %v", r, errs[i])
		}
	}
}
