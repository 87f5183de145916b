//go:build !adtinfer_norecord

package record

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

func TestExecution(t *testing.T) {
	rec := New(Options{Object: "queue"})
	add, remove := rec.Method("add"), rec.Method("remove")
	a, b := rec.Handle("a"), rec.Handle("b")
	a.Call(add, Int(5))
	b.Call(remove)
	a.Return(None)
	b.Return(Some, Int(5))
	a.Call(remove)
	a.Return(Nil)
	b.Call(rec.Method("many"), Int(1), Int(2), Bool(true), b.Text("x y"), Uint(uint8(7)))
	e, err := execution(rec)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := history.WriteText(&out, e); err != nil {
		t.Fatal(err)
	}
	want := "# @object queue\n[1@a] call add(5)\n[2@b] call remove\n[1@a] return\n[2@b] return 5\n[3@a] call remove\n[3@a] return -\n[4@b] call many(1, 2, true, \"x y\", 7)\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// TestManyGoroutines records more than a chunk from several goroutines and
// looks whether everything is there, in an order that fits each of them.
func TestManyGoroutines(t *testing.T) {
	const workers, each = 8, 3000
	rec := New(Options{})
	m := rec.Method("m")
	var wg sync.WaitGroup
	for w := range workers {
		h := rec.Handle(string(rune('a' + w)))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				h.Call(m, Int(i))
				h.Return(Some, Int(i), Int(i), Int(i))
			}
		}()
	}
	wg.Wait()
	e, err := execution(rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Ops) != workers*each || e.Events != 2*workers*each {
		t.Fatalf("%d operations, %d events", len(e.Ops), e.Events)
	}
	next := map[string]int{}
	for _, o := range e.Ops {
		if want := history.Value(strconv.Itoa(next[o.Process])); o.Args[0] != want || o.Rets[2] != want {
			t.Fatalf("process %s: %s, want %s", o.Process, o.Label, want)
		}
		next[o.Process]++
	}
}
