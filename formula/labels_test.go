package formula_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
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
		if got := formula.LabelsOnly(f); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
