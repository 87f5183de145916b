package history_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

func ExampleParseDrawing() {
	h, labels, err := history.ParseDrawing("[1:1] add(x); [2:2] remove => empty (RO); [3:1] remove => x")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(history.Draw(h, labels))
	fmt.Println("weight", h.Weight())
	// Output:
	// [1:1] add(v1)            #
	// [2:2] remove => - (RO)    #
	// [3:1] remove => v1         #
	// weight 2
}

func ExampleDraw() {
	h := &history.History{Ops: []history.Op{
		{Kind: history.Kind{Method: "write", Outcome: history.None}, Target: 0, Completed: true, Start: 0, End: 1},
		{Kind: history.Kind{Method: "read", Outcome: history.Some}, Target: 0, ReadOnly: true, Completed: true, Start: 1, End: 2},
		{Kind: history.Kind{Method: "read"}, Target: history.Unmatched, Start: 2, End: history.Never},
	}}
	fmt.Print(history.Draw(h, nil))
	// Output:
	// [1:1] write                #
	// [2:1] read => value (RO)   ##
	// [3:_] read*                 #
}

func ExampleDrawLine() {
	h := history.Sequence(
		history.Op{Kind: history.Kind{Method: "add", Outcome: history.None}, Target: 0},
		history.Op{Kind: history.Kind{Method: "remove", Outcome: history.Nil}, Target: 1, ReadOnly: true},
	)
	labels := []history.Label{
		{Kind: h.Ops[0].Kind, Args: []history.Value{"42"}},
		{Kind: h.Ops[1].Kind},
	}
	fmt.Println(history.DrawLine(h, labels))
	// Output: [1:1] add(v1); [2:2] remove => - (RO)
}

func ExampleHistory_Key() {
	a, _, _ := history.ParseDrawing("[1:1] add(v1); [2:X] remove => v2")
	b, _, _ := history.ParseDrawing("[7:7] add(x); [3:X] remove => y")
	fmt.Println(a.Key() == b.Key())
	// Output: true
}

// queue is what a log reader must know of a queue.
func queue() (history.Signature, error) {
	return history.NewSignature(
		history.MethodSig{
			Name: "add", Args: 1, Aliases: []string{"enqueue"},
			Outcomes: []history.OutcomeSig{{Outcome: history.None}},
		},
		history.MethodSig{
			Name: "remove", Aliases: []string{"dequeue"},
			Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}},
		},
	)
}

func ExampleReadLog() {
	const log = `
# @object atomic-queue
[1] call enqueue(a)
    [2] call dequeue
[1] return
    [2] return a
[3] call dequeue
[3] return empty
`
	sig, err := queue()
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := history.ReadLog(strings.NewReader(log), "queue.log", sig)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e)
	fmt.Println("1 before 2:", e.Before(0, 1), "- 1 before 3:", e.Before(0, 2))
	// Output:
	// add(a); remove => a; remove => nil
	// 1 before 2: false - 1 before 3: true
}

func ExampleReadLog_malformed() {
	sig, _ := queue()
	_, err := history.ReadLog(strings.NewReader("[1] call enqeue(a)\n"), "queue.log", sig)
	fmt.Println(err)
	// Output: queue.log:1:10: unknown method "enqeue"; did you mean "enqueue"?
}

// A log of a recorder that is still at work.
func ExampleReader_Follow() {
	sig, _ := queue()
	r := history.NewReader(strings.NewReader("[1] call enqueue(a)\n[2] call dequeue\n[2] return a\n"), "queue.log")
	r.Growing = true
	for op, err := range r.Follow(sig) {
		fmt.Println(op, err)
	}
	// Output:
	// add(a)* <nil>
	// remove* <nil>
	// remove => a <nil>
}

func ExampleReader_Convert() {
	const log = "[1] call add(7)\n[1] return\n[2] call remove\n[2] return 7\n"
	ctx := context.Background()
	var b bytes.Buffer
	if err := history.NewReader(strings.NewReader(log), "x.log").Convert(ctx, &b, history.Binary); err != nil {
		fmt.Println(err)
	}
	if err := history.NewReader(&b, "x.bin").Convert(ctx, os.Stdout, history.Text); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1] call add(7)
	// [1] return
	// [2] call remove
	// [2] return 7
}

func ExampleWriteText() {
	e := history.Sequential(
		history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"a b"}},
		history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
	)
	if err := history.WriteText(os.Stdout, e); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [1] call add("a b")
	// [1] return
	// [2] call remove
	// [2] return -
}

func ExampleWriteJSON() {
	e := history.Sequential(
		history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"5"}},
		history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
	)
	e.Object = "atomic-queue"
	if err := history.WriteJSON(os.Stdout, e); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"format":2,"object":"atomic-queue"}
	// {"op":1,"event":"call","method":"add","args":[5]}
	// {"op":1,"event":"return"}
	// {"op":2,"event":"call","method":"remove"}
	// {"op":2,"event":"return","outcome":"nil"}
}
