package semantics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

func TestLabelsOnly(t *testing.T) {
	for src, want := range map[string]bool{
		"forall x:Op, y:Op. arg(x) = ret(y) -> x = y":      true,
		"forall x:Op. arg(x) = \"0\" -> completed(x)":      true,
		"exists x:Op. forall y:Op. before(x, y) | x = y":   false,
		"forall x:Op, y:Op. arg(x) < ret(y) -> x = y":      true,
		"forall x:Op. match(x) = x | unmatched(x)":         false,
		"exists x:Op, y:Op. arg(x) = arg(y) & readonly(y)": false,
	} {
		f, err := formula.Parse(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := semantics.LabelsOnly(f); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}

func TestCompared(t *testing.T) {
	f, err := formula.Parse("forall x:Op, y:Op. ret(x) = ret(y) & arg(x, 2) < 5 -> !(exists z:Op. arg(y) < ret(z) & arg(x) < arg(z))", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []formula.Term{{Fn: "arg", Index: 1}, {Fn: "arg", Index: 2}, {Fn: "ret", Index: 1}}
	if diff := cmp.Diff(want, semantics.Compared(f)); diff != "" {
		t.Error(diff)
	}
	if got := semantics.Compared(formula.Equal{A: formula.Term{Fn: "arg", Var: "x"}, B: formula.Term{Fn: "ret", Var: "x"}}); got != nil {
		t.Errorf("an equation compares %v", got)
	}
}

func TestNamed(t *testing.T) {
	f, err := formula.Parse(`forall x:Op, y:Op. arg(x) = "b" & outcome(x) = nil -> ret(y) < 7 | !("b" = arg(y)) & arg(y) = "a"`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]history.Value{"b", "7", "a"}, semantics.Named(f)); diff != "" {
		t.Error(diff)
	}
}

func TestUnordered(t *testing.T) {
	places := []formula.Term{{Fn: "arg", Index: 2}, {Fn: "ret", Index: 1}}
	for text, l := range map[string]history.Label{
		"": {Args: []history.Value{"x", "2"}, Rets: []history.Value{"-7"}},
		`the theory compares values by <, and "x" is no integer`:   {Args: []history.Value{"1", "x"}},
		`the theory compares values by <, and "1.5" is no integer`: {Rets: []history.Value{"1.5"}},
	} {
		if got := semantics.Unordered(places, &l); got != text {
			t.Errorf("%v: %q", l, got)
		}
	}
}
