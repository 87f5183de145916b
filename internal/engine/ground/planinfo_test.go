package ground_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
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
		plan, err := ground.Prepare(formula.Embed(h))
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
		plan, err := ground.Prepare(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.OneMatch(); got != want {
			t.Errorf("OneMatch(%s) = %v", src, got)
		}
	}
}
