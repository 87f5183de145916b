//go:build !adtinfer_norecord

package record_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record"
)

// A recorded execution is an input of everything that reads histories.
func ExampleRecorder_Log() {
	rec := record.New(record.Options{})
	add, remove := rec.Method("add"), rec.Method("remove")
	a, b := rec.Handle("a"), rec.Handle("b")
	a.Call(add, record.Int(5))
	b.Call(remove)
	a.Return(record.None)
	b.Return(record.Some, record.Int(5))
	b.Call(remove)
	b.Return(record.Nil)

	l, err := rec.Log()
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := l.Execution()
	if err != nil {
		fmt.Println(err)
		return
	}
	history.WriteText(os.Stdout, e)
	// Output:
	// [1@a] call add(5)
	// [2@b] call remove
	// [1@a] return
	// [2@b] return 5
	// [3@b] call remove
	// [3@b] return -
}

// A recording is streamed to a file, and read from there.
func ExampleRecorder_Stream() {
	rec := record.New(record.Options{Object: "queue"})
	var file bytes.Buffer
	stop, err := rec.Stream(&file, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	h := rec.Handle("worker")
	h.Call(rec.Method("add"), h.Text("milk"))
	h.Return(record.None)
	if err := stop(); err != nil {
		fmt.Println(err)
		return
	}

	l, err := record.ReadBinary(&file, "queue.bin")
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := l.Execution()
	fmt.Println(l.Object, e.Ops[0].Label, l.Cut, err)
	// Output: queue add(milk) false <nil>
}
