//go:build !adtinfer_norecord

package refine_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
	"github.com/adtinfer/adtinfer/reference"
)

// TestReference checks logs against a reference, right and wrong ones.
func TestReference(t *testing.T) {
	spec, err := refine.NewReference(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[check.Verdict]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		rec := record.New(record.Options{})
		add, remove := rec.Method("add"), rec.Method("remove")
		hs := []*record.Handle{rec.Handle("a"), rec.Handle("b")}
		var q []int
		want := check.Linearizable
		for i := range 12 {
			h := hs[r.IntN(2)]
			if r.IntN(2) == 0 {
				h.Call(add, record.Int(i))
				q = append(q, i)
				h.Commit()
				h.Return(record.None)
				continue
			}
			h.Call(remove)
			h.Commit()
			switch {
			case len(q) == 0:
				h.Return(record.Nil)
				continue
			case len(q) > 1 && r.IntN(5) == 0:
				q[0], q[1] = q[1], q[0]
				want = check.Violation
			}
			h.Return(record.Some, record.Int(q[0]))
			q = q[1:]
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		res, err := refine.Check(context.Background(), l, spec, refine.Options{})
		if err != nil || res.Verdict != want || want == check.Violation && res.Blame != refine.Implementation {
			t.Fatalf("seed %d: %v, %v; want %s", seed, res, err, want)
		}
		verdicts[want]++
	}
	if len(verdicts) != 2 {
		t.Errorf("one-sided: %v", verdicts)
	}
}

// bag is a nondeterministic reference: take returns any element.
type bag struct{ n map[int]int }

func (b *bag) accept(c reference.Claim) bool {
	switch {
	case c.Method == "put":
		b.n[c.Args[0].(int)]++
		return true
	case c.Outcome == "nil":
		return len(b.n) == 0
	}
	v := c.Rets[0].(int)
	if b.n[v] == 0 {
		return false
	}
	if b.n[v]--; b.n[v] == 0 {
		delete(b.n, v)
	}
	return true
}

// TestAcceptor lets the recorded results resolve the choices.
func TestAcceptor(t *testing.T) {
	spec, err := refine.NewReference(reference.Spec{
		Name:   "bag",
		New:    func() *bag { return &bag{map[int]int{}} },
		Accept: (*bag).accept,
		Operations: []reference.Operation{
			{Name: "put", Func: (func(int))(nil)},
			{Name: "take", Func: (func() (int, bool))(nil)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for second, want := range map[int]check.Verdict{1: check.Linearizable, 2: check.Violation} {
		rec := record.New(record.Options{})
		h := rec.Handle("a")
		put, take := rec.Method("put"), rec.Method("take")
		for _, v := range []int{1, 2} {
			h.Call(put, record.Int(v))
			h.Commit()
			h.Return(record.None)
		}
		for _, v := range []int{2, second} {
			h.Call(take)
			h.Commit()
			h.Return(record.Some, record.Int(v))
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		r, err := refine.Check(context.Background(), l, spec, refine.Options{})
		if err != nil || r.Verdict != want {
			t.Errorf("%v, %v; want %s", r, err, want)
		}
	}
}

// latch panics if it is closed twice: once with a message, then as the runtime does.
type latch struct{ open []bool }

func (l *latch) Close() {
	if len(l.open) == 1 {
		l.open = nil
		panic("closed")
	}
	l.open = l.open[:len(l.open)-1]
}

// TestReferencePanics: that a method panics is an outcome, for objects that are kept
// as for runs of the whole log.
func TestReferencePanics(t *testing.T) {
	latches := reference.Spec{Name: "latch", New: func() *latch { return &latch{make([]bool, 2)} }}
	objects, err := refine.NewReference(latches)
	if err != nil {
		t.Fatal(err)
	}
	impl, err := reference.New(latches)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	for said := range 1 << 4 { // bit i: call i panicked
		rec := record.New(record.Options{})
		h, panics := rec.Handle("a"), rec.Outcome(history.Panic)
		for i := range 4 {
			h.Call(rec.Method("close"))
			h.Commit()
			if said>>i&1 != 0 {
				h.Return(panics)
			} else {
				h.Return(record.None)
			}
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		want := check.Violation
		if said == 0b1110 {
			want = check.Linearizable
		}
		kept, err := refine.Check(context.Background(), l, objects, refine.Options{})
		if err != nil || kept.Verdict != want {
			t.Errorf("%04b: %v, %v; want %s", said, kept, err, want)
		}
		whole, err := refine.CheckReference(context.Background(), l, impl, nil, refine.Options{})
		if err != nil || whole.Verdict != want {
			t.Errorf("%04b in one run: %v, %v; want %s", said, whole, err, want)
		}
	}
}

func TestReferenceErrors(t *testing.T) {
	spec, err := refine.NewReference(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func(rec *record.Recorder, h *record.Handle){
		`the reference has no method "ad"; did you mean "add"?`: func(rec *record.Recorder, h *record.Handle) {
			h.Call(rec.Method("ad"), record.Int(1))
		},
		"the reference's add takes (int), which add(true) does not fit": func(rec *record.Recorder, h *record.Handle) {
			h.Call(rec.Method("add"), record.Bool(true))
		},
	} {
		rec := record.New(record.Options{})
		h := rec.Handle("a")
		call(rec, h)
		h.Commit()
		h.Return(record.None)
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		_, err = refine.Check(context.Background(), l, spec, refine.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
