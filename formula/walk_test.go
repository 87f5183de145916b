package formula

import (
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"pgregory.net/rapid"
)

// Walk visits what the text of a formula shows, from left to right, and nothing
// below a formula for which visit returns false.
func TestWalk(t *testing.T) {
	f := must(t, "forall x:Op. (readonly(x) -> !completed(x)) | (true <-> arg(x) = 1 & arg(x) < 2)")
	var all, top []string
	Walk(f, func(f Formula) bool {
		all = append(all, String(f))
		return true
	})
	Walk(f, func(f Formula) bool {
		top = append(top, String(f))
		_, is := f.(Or)
		return !is
	})
	want := []string{
		"forall x:Op. (readonly(x) -> !completed(x)) | (true <-> arg(x) = 1 & arg(x) < 2)",
		"(readonly(x) -> !completed(x)) | (true <-> arg(x) = 1 & arg(x) < 2)",
		"readonly(x) -> !completed(x)", "readonly(x)", "!completed(x)", "completed(x)",
		"true <-> arg(x) = 1 & arg(x) < 2", "true", "arg(x) = 1 & arg(x) < 2", "arg(x) = 1", "arg(x) < 2",
	}
	if !slices.Equal(all, want) {
		t.Errorf("visited %q", all)
	}
	if !slices.Equal(top, want[:2]) {
		t.Errorf("visited %q", top)
	}
}

// The conjuncts of a formula, or of its negation, together mean the same, and none
// can be taken apart.
func TestConjuncts(t *testing.T) {
	v := queueVocabulary()
	split := 0
	testsize.Check(t, 5, func(t *rapid.T) {
		f, s := Expand(drawFormula(t, true), v), drawStructure(t, 0)
		for _, holds := range []bool{true, false} {
			parts := Conjuncts(f, holds)
			if got := Eval(And(parts), s, nil); got != (Eval(f, s, nil) == holds) {
				t.Fatalf("%s, %v: the conjuncts %v are %v", String(f), holds, parts, got)
			}
			if len(parts) > 1 {
				split++
			}
			for _, p := range parts {
				if again := Conjuncts(p, true); len(again) != 1 || String(again[0]) != String(p) {
					t.Fatalf("%s, %v: the conjunct %s has conjuncts %v", String(f), holds, String(p), again)
				}
			}
		}
	})
	if split < 50 && !testing.Short() {
		t.Errorf("only %d formulas were taken apart; the test says little", split)
	}
}
