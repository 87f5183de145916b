package check_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/theory"
)

// A register that starts out empty, as a theory with three of its patterns.
func Example() {
	t := &theory.Theory{Name: "register"}
	t.Spec.Methods = []history.MethodSig{
		{Name: "write", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "read", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
	}
	for _, src := range []string{"method(y) = write & arg(y) = ret(x)", "y = x & (method(x) = write | outcome(x) = nil)"} {
		f, _ := formula.Parse(src, t.Vocabulary(), "x", "y")
		t.Spec.Matching.Target = append(t.Spec.Matching.Target, f)
	}
	once, _ := formula.Parse("forall x:Op, y:Op. method(x) = write & method(y) = write & arg(x) = arg(y) -> x = y", t.Vocabulary())
	t.Spec.Language = []theory.Rule{{Name: "write-once", Formula: once}}
	t.Spec.Matching.ReadOnly, _ = formula.Parse("method(x) = read", t.Vocabulary(), "x")
	for name, drawing := range map[string]string{
		"read-unmatched":    "[1:X] read => v1 (RO)",
		"read-before-write": "[1:2] read => v2 (RO); [2:2] write(v2)",
		"lost-write":        "[1:1] write(v1); [2:2] read => - (RO)",
	} {
		h, _, _ := history.ParseDrawing(drawing)
		t.Spec.Patterns = append(t.Spec.Patterns, theory.Pattern{Name: name, History: *h})
	}

	write := history.Label{Kind: history.Kind{Method: "write", Outcome: history.None}, Args: []history.Value{"7"}}
	read := history.Label{Kind: history.Kind{Method: "read", Outcome: history.Nil}}
	ctx := context.Background()
	for _, engine := range []string{"auto", "saturate", "monitor", "symbolic"} {
		c, _ := check.New(t, check.Options{Engine: engine})
		r, err := c.Check(ctx, history.Sequential(read, write))
		if unknown := new(monitor.NotRecognized); errors.As(err, &unknown) {
			fmt.Println(engine, "has no procedure for this theory")
			continue
		}
		fmt.Println(engine, r.Verdict, err)
		r, err = c.Check(ctx, history.Sequential(write, read))
		fmt.Println(engine, r.Verdict, r.Prefix, r.Patterns, err)
	}
	// Output:
	// auto linearizable <nil>
	// auto violation 4 [lost-write] <nil>
	// saturate no violation found <nil>
	// saturate violation 4 [lost-write] <nil>
	// monitor has no procedure for this theory
	// symbolic linearizable <nil>
	// symbolic violation 4 [lost-write] <nil>
}
