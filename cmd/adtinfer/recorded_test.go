package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/adtinfer/adtinfer/record"
)

// recorded writes a binary log with commits, of a queue that is used by two
// goroutines:
//
//	recorded right FILE       as it should be
//	recorded wrong FILE       a value overtakes another, as calls and returns show
//	recorded spoilt FILE      so, and later an operation commits twice
//	recorded misplaced FILE   two commits stand in the wrong order, and only they do
//	recorded peeked FILE      with an operation that commits nothing
//	recorded uncommitted FILE an add returns without a commit
func recorded(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: recorded KIND FILE")
	}
	rec := record.New(record.Options{Object: "queue"})
	add, remove, size := rec.Method("add"), rec.Method("remove"), rec.Method("isEmpty")
	a, b := rec.Handle("a"), rec.Handle("b")
	put := func(h *record.Handle, v int, commit bool) {
		h.Call(add, record.Int(v))
		if commit {
			h.Commit()
		}
	}
	take := func(v int) {
		b.Call(remove)
		b.Commit()
		b.Return(record.Some, record.Int(v))
	}
	switch args[0] {
	case "misplaced": // 2 is in first, but its commit comes late
		put(a, 1, true)
		put(b, 2, true)
		a.Return(record.None)
		b.Return(record.None)
		take(2)
	case "wrong", "spoilt":
		put(a, 1, true)
		a.Return(record.None)
		put(a, 2, true)
		a.Return(record.None)
		take(2)
		if args[0] == "spoilt" {
			put(a, 3, true)
			a.Commit()
		}
	case "uncommitted":
		put(a, 1, false)
		a.Return(record.None)
	default:
		put(a, 1, true)
		if args[0] == "peeked" {
			b.Call(size)
			b.Return(record.False)
		}
		a.Return(record.None)
		take(1)
	}
	l, err := rec.Log()
	ts.Check(err)
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(l.WriteBinary(f))
	ts.Check(f.Close())
}
