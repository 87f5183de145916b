package check_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// TestConsistentTogether: a theory of a width beyond 1 may admit operations that
// overlap and nothing else.
func TestConsistentTogether(t *testing.T) {
	const two = "forall x:Op. exists y:Op. x != y & !before(x, y) & !before(y, x)"
	const three = "forall x:Op. exists y:Op, z:Op. x != y & x != z & y != z" +
		" & !before(x, y) & !before(y, x) & !before(x, z) & !before(z, x) & !before(y, z) & !before(z, y)"
	for _, tt := range []struct {
		name, axiom   string
		width, length int
		want          int // operations
	}{
		{"two", two, 2, 2, 2},
		{"three", three, 3, 3, 3},
		{"three, of whom two fit", three, 2, 4, 0},
		{"two, one by one", two, 1, 3, 0},
		{"nobody", "forall x:Op. before(x, x)", 2, 3, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := historytest.Theory(t, "check/testdata/barrier.theory.yaml")
			f, err := formula.Parse(tt.axiom, th.Vocabulary())
			if err != nil {
				t.Fatal(err)
			}
			th.Spec.Width, th.Spec.Axioms[0].Formula = tt.width, f
			e, err := check.Consistent(t.Context(), th, tt.length)
			if err != nil || (e == nil) != (tt.want == 0) || e != nil && len(e.Ops) != tt.want {
				t.Errorf("%v, %v; want %d operations", e, err, tt.want)
			}
		})
	}
}
