//go:build adtinfer_norecord

package record

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// TestDisabled records nothing, and does not take that for a verdict.
func TestDisabled(t *testing.T) {
	rec := New(Options{})
	c := Config[[]int64]{Spec: stackSpec{}}
	w, err := Watch(rec, c, WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h := rec.Handle("p")
	work := func() {
		h.Call(rec.Method("push"), Int(1))
		h.Begin()
		h.Write(rec.Variable("v"), 0, h.Text("x"))
		h.WriteBlock(Write{})
		h.Acquire(rec.Variable("l"), 0)
		h.Release(rec.Variable("l"), 0)
		h.Commit()
		h.Publish()
		h.Return(None, Int(1), Int(2), Int(3))
		h.Close()
	}
	if n := testing.AllocsPerRun(100, work); n != 0 {
		t.Errorf("%v allocations", n)
	}
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	r, err := CheckIO(context.Background(), l, c)
	if err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := w.Stop(context.Background()); err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("on line: %v, %v", r, err)
	}
}
