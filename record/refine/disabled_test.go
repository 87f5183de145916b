//go:build adtinfer_norecord

package refine

import (
	"context"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
)

// anything is a data type that allows everything.
type anything struct{}

func (anything) New() int                      { return 0 }
func (anything) Step(s int, _ *Op) (int, bool) { return s, true }

// TestDisabled does not take a recording for a verdict that was compiled out.
func TestDisabled(t *testing.T) {
	rec := record.New(record.Options{})
	w, err := Watch(rec, anything{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := rec.Handle("p")
	h.Call(rec.Method("push"), record.Int(1))
	h.Commit()
	h.Return(record.None)
	h.Close()
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Check(context.Background(), l, anything{}, Options{}); err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("%v, %v", r, err)
	}
	if r, err := w.Stop(context.Background()); err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("on line: %v, %v", r, err)
	}
}
