package browser

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out/page"
	"github.com/adtinfer/adtinfer/theory"
)

// queue is an execution of a queue by so many processes; with a swap, two values leave it
// in the wrong order.
func queue(ops, processes int, swap bool) *history.Execution {
	r := rand.New(rand.NewPCG(1, 2))
	e := &history.Execution{}
	var inside []history.Value
	running, took := make([]int, processes), make([]bool, ops)
	for i := range running {
		running[i] = -1
	}
	for open := 0; len(e.Ops) < ops || open > 1; {
		p := r.IntN(processes)
		switch i := running[p]; {
		case i < 0 && len(e.Ops) < ops:
			o := history.Operation{ID: fmt.Sprint(len(e.Ops) + 1), Process: fmt.Sprintf("client-%d", p), Call: e.Events, Return: history.NoReturn, CallPos: history.Pos{File: "run.log", Line: e.Events + 1, Col: 1}}
			o.Method = "remove"
			if r.IntN(2) == 0 {
				o.Method, o.Args = "add", []history.Value{history.Value(fmt.Sprint(len(e.Ops) + 1))}
			}
			running[p], e.Ops = len(e.Ops), append(e.Ops, o)
			e.Events++
			open++
		case i < 0:
		case !took[i]:
			o := &e.Ops[i]
			took[i] = true
			switch {
			case o.Method == "add":
				inside, o.Outcome = append(inside, o.Args[0]), history.None
			case len(inside) == 0:
				o.Outcome = history.Nil
			default:
				o.Outcome, o.Rets, inside = history.Some, inside[:1:1], inside[1:]
			}
		default:
			e.Ops[i].Return, running[p] = e.Events, -1
			e.Events++
			open--
		}
	}
	for i := range e.Ops {
		if o := &e.Ops[i]; !o.Completed() {
			o.Outcome, o.Rets = history.Pending, nil
		}
	}
	if swap {
		spoil(e)
	}
	return e
}

// spoil swaps two values that leave the queue one after the other, in its second half, once both
// are in it.
func spoil(e *history.Execution) {
	added := map[history.Value]int{}
	var a *history.Operation
	for i := range e.Ops {
		switch o := &e.Ops[i]; {
		case o.Method == "add" && o.Completed():
			added[o.Args[0]] = o.Return
		case i < len(e.Ops)/2 || len(o.Rets) == 0:
		case a == nil || a.Return > o.Call:
			a = o
		case added[o.Rets[0]] > 0 && added[a.Rets[0]] < a.Call && added[o.Rets[0]] < a.Call:
			a.Rets, o.Rets = o.Rets, a.Rets
			return
		default:
			a = o
		}
	}
}

// verdict checks an execution for its page.
func verdict(t *testing.T, e *history.Execution) *page.Verdict {
	t.Helper()
	f, err := os.Open("../../../examples/queue/queue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	th, err := theory.Read(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(th, check.Options{Order: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := check.Report{Name: "run.log", Ops: len(e.Ops), Coverage: history.Of(e), Kinds: th.Kinds()}
	if r.Result, err = c.Check(ctx, e); err != nil {
		t.Fatal(err)
	}
	if r.Result.Verdict == check.Violation {
		if r.Explanation, err = c.Explain(ctx, e, r.Result); err != nil {
			t.Fatal(err)
		}
	} else if r.Evidence, err = c.Witness(ctx, e, r.Result); err != nil {
		t.Fatal(err)
	}
	return &page.Verdict{Run: page.Run{Against: "theory queue", Version: "test", Command: "adtinfer check run.log"}, Report: r,
		Log: &page.Log{Execution: e, Sum: "0123456789abcdef"}}
}

// written is the address of a page.
func written(t *testing.T, v *page.Verdict) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.WriteVerdict(&b, v); err != nil {
		t.Fatal(err)
	}
	return file(t, b.Bytes())
}

// file is the address of a file with contents.
func file(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}
