package out_test

import (
	"fmt"
	"os"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
)

func ExampleText() {
	h, labels, err := history.ParseDrawing("[1:1] lock(v1); [2:2] lock(v2)")
	if err != nil {
		fmt.Println(err)
		return
	}
	t := &theory.Theory{Name: "lock"}
	t.Spec.Methods = []history.MethodSig{{Name: "lock", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}}}
	t.Spec.Patterns = []theory.Pattern{{
		Name: "lock-lock", Weight: h.Weight(), Reading: "lock is called with a first value and then a second",
		History: *h, Drawing: history.Draw(h, labels), Formula: formula.Embed(h),
	}}
	if err := out.Text(os.Stdout, t, out.Plain); err != nil {
		fmt.Println(err)
	}
	// Output:
	// lock: 1 violation pattern
	//
	// A history is wrong if it shows one of these patterns. One operation a line, with
	// the time at which it runs (#): [operation:match target], X if it matches
	// nothing, (RO) if it is read-only. v1 is the value of operation 1, - the answer
	// nil.
	//
	//  1. lock-lock (weight 2)
	//     lock is called with a first value and then a second
	//
	//       [1:1] lock(v1)   #
	//       [2:2] lock(v2)    #
	//
	// checked:
	//   nothing, for this theory was not inferred
}
