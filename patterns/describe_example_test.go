package patterns_test

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/theory"
)

func ExampleDescribe() {
	t := &theory.Theory{Spec: theory.Spec{Methods: []history.MethodSig{
		{Name: "push", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "pop", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
	}}}
	for _, drawing := range []string{
		"[1:1] push(v1); [2:2] pop => - (RO)",
		"[1:1] push(v1); [2:2] pop => - (RO); [3:1] pop => v1",
		"[1:1] push(v1); [2:2] push(v2); [3:1] pop => v1",
	} {
		h, _, err := history.ParseDrawing(drawing)
		if err != nil {
			fmt.Println(err)
			return
		}
		t.Spec.Patterns = append(t.Spec.Patterns, theory.Pattern{History: *h, Drawing: drawing})
	}
	patterns.Describe(t)
	for _, p := range t.Spec.Patterns {
		fmt.Printf("%s (%s)\n  %s\n", p.Name, p.Group, p.Reading)
	}
	// Output:
	// pop-nil-after-push (pop-nil-after-push)
	//   pop returns nil after push is called with a value that pop never returns
	// pop-nil-between-push-pop (pop-nil-after-push)
	//   pop returns nil after push is called with a value and before pop returns it
	// push-push-pop1 (push-push-pop1)
	//   push is called with a first value and then a second, then pop returns the first; pop never returns the second
}
