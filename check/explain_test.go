package check_test

import (
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// byHand is the theory of package theories with the vocabulary of a subject.
func byHand(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	t, err := theories.Load(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestExplainOpen: a theory that may need any operation says, too, what would be right.
func TestExplainOpen(t *testing.T) {
	label := func(method string, out history.Outcome) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: []history.Value{"1"}}
	}
	e := history.Sequential(label("add", history.None), label("remove", history.None), label("contains", history.True), label("add", history.None))
	th := byHand(t, "plainset")
	r, err := by{Engine: "symbolic"}.Check(t.Context(), th, e)
	if err != nil {
		t.Fatal(err)
	}
	x, err := explanations(t.Context(), th, e, r)
	if err != nil {
		t.Fatal(err)
	}
	if !x.Minimal || x.Prefix != 6 || len(x.Answers) != 1 || x.Answers[0].Outcome != history.False || len(x.Execution.Ops) != 1 || len(x.Reasons) != 1 || !x.Reasons[0].Axiom {
		t.Errorf("%+v", x)
	}
	if _, err := explanations(t.Context(), th, e, check.Result{Verdict: check.Linearizable}); err == nil {
		t.Error("no error for an execution that is no violation")
	}
	if _, err := explanations(t.Context(), th, e, check.Result{Verdict: check.Violation, Prefix: 4}); err == nil {
		t.Error("no error for a prefix that is no violation")
	}
}

// TestExplainPart: a part is a violation by itself, although of another one it is
// not known what its pending operation may do.
func TestExplainPart(t *testing.T) {
	th := historytest.Example(t, "set")
	e := historytest.Log(t, th, "[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)",
		"[4] call insert(2)", "[4] return -", "[5] call remove(2)", "[5] return 2", "[6] call remove(2)", "[6] return 2")
	for _, engine := range []checking{by{}, by{Whole: true}} {
		r, err := engine.Check(t.Context(), th, e)
		if err != nil || r.Verdict != check.Violation {
			t.Fatalf("%+v, %v", r, err)
		}
		x, err := explanations(t.Context(), th, e, r)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for i := range x.Execution.Ops {
			ids = append(ids, x.Execution.Ops[i].ID)
		}
		if !slices.Equal(ids, []string{"4", "5", "6"}) || !x.Minimal || len(x.Reasons) != 1 || x.Reasons[0].Name != "remove-twice" {
			t.Errorf("%v, minimal: %v, %v", ids, x.Minimal, x.Reasons)
		}
	}
}
