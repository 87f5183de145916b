//go:build adtinfer_norecord

package record

import "testing"

// TestDisabled records nothing, and allocates nothing.
func TestDisabled(t *testing.T) {
	rec := New(Options{})
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
	if err != nil || !l.Dropped || len(l.tape.Entries) != 0 {
		t.Errorf("%v, %v", l, err)
	}
}
