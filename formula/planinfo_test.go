package formula_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

func TestOneMatch(t *testing.T) {
	for drawing, want := range map[string]bool{
		"[1:X] remove => v1":                                true,
		"[1:2] remove => v2; [2:2] add(v2)":                 true,
		"[1:1] add(v1); [2:1] remove => v1; [3:1] remove":   true,
		"[1:1] add(v1); [2:2] remove => - (RO)":             false,
		"[1:1] add(v1); [2:2] add(v2); [3:1] remove => v1":  false,
		"[1:1] add(v1); [2:X] remove => v2; [3:1] add => -": false,
	} {
		h, _, err := history.ParseDrawing(drawing)
		if err != nil {
			t.Fatalf("%s: %v", drawing, err)
		}
		plan, err := formula.Prepare(formula.Embed(h))
		if err != nil {
			t.Fatalf("%s: %v", drawing, err)
		}
		if got := plan.OneMatch(); got != want {
			t.Errorf("OneMatch(%s) = %v", drawing, got)
		}
	}
}

// TestOneMatchInner: an inner quantifier must be tied, too.
func TestOneMatchInner(t *testing.T) {
	for src, want := range map[string]bool{
		"exists x:Op. unmatched(x) & !(exists y:Op. match(y) = x & readonly(y))":        true,
		"exists x:Op. unmatched(x) & !(exists y:Op. before(x, y) & readonly(y))":        false,
		"exists x:Op. readonly(x) & (unmatched(x) | (exists y:Op. readonly(y)))":        false,
		"exists x:Op, y:Op. match(x) = y & (readonly(x) | match(x) = match(y))":         true,
		"exists x:Op, y:Op. before(x, y) & (match(x) = y | readonly(y)) & completed(x)": false,
		"!(exists x:Op. unmatched(x))":                                                  false,
		"(exists x:Op. unmatched(x) & completed(x)) & (exists y:Op. readonly(y))":       false,
	} {
		f, err := formula.Parse(src, nil)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		plan, err := formula.Prepare(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.OneMatch(); got != want {
			t.Errorf("OneMatch(%s) = %v", src, got)
		}
	}
}

func TestPlanSpeaksOf(t *testing.T) {
	for _, tt := range []struct {
		src                  string
		labelsOnly, literals bool
	}{
		{"forall x:Op, y:Op. arg(x) = ret(y) -> x = y", true, false},
		{"forall x:Op. arg(x) = \"0\" -> completed(x)", true, true},
		{"exists x:Op. forall y:Op. before(x, y) | x = y", false, false},
		{"forall x:Op, y:Op. arg(x) < ret(y) -> x = y", true, true},
		{"forall x:Op. match(x) = x | unmatched(x)", false, false},
	} {
		f, err := formula.Parse(tt.src, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := formula.Prepare(f)
		if err != nil {
			t.Fatal(err)
		}
		if plan.LabelsOnly() != tt.labelsOnly || plan.Literals() != tt.literals {
			t.Errorf("%s: labels only %v, literals %v", tt.src, plan.LabelsOnly(), plan.Literals())
		}
	}
}
