package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// TestLongLogOfAutomaton: a log that is long enough for near-linear procedures is
// decided by an automaton where there are no patterns, and by the automaton beside
// patterns that is not one of them.
func TestLongLogOfAutomaton(t *testing.T) {
	methods := []history.MethodSig{
		{Name: "put", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "get", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}},
	}
	a, err := automata.Parse("at first r = 0\n-> (r)  put(x)    (x)\n        get => r  (r)\n", methods)
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(&theory.Theory{Name: "cell", Spec: theory.Spec{Methods: methods, Automaton: a}}, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&log, "[%d] call put(%d)\n[%d] return\n[g%d] call get\n[g%d] return %d\n", i, i, i, i, i, i)
	}
	r, err := c.CheckLog(t.Context(), strings.NewReader(log.String()), "log")
	if err != nil || r.Verdict != check.Linearizable {
		t.Fatal(r, err)
	}
	log.WriteString("[a] call get\n[a] return 5\n")
	r, err = c.CheckLog(t.Context(), strings.NewReader(log.String()), "log")
	if err != nil || r.Verdict != check.Violation || r.Prefix != 80_002 {
		t.Fatal(r, err)
	}
}
