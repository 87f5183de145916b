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
	// lock
	//
	//   never: lock is called with a first value and then a second
	//
	// 1 violation pattern, with drawings and formulas: --format markdown
	//
	// checked:
	//   nothing, for this theory was not inferred
}
