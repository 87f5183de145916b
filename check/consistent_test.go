package check_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// wide is a theory whose operations have 32 arguments, and one axiom.
func wide(t *testing.T, axiom string) *theory.Theory {
	th, err := theory.Read(strings.NewReader(`apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: wide}
spec:
  methods: [{name: m, args: 32, outcomes: [{outcome: none}]}]
  axioms: [{name: a, formula: 'forall x:Op. x = x'}]
`), "wide.yaml")
	if err == nil { // no file may have an axiom of some operation
		th.Spec.Axioms[0].Formula, err = formula.Parse(axiom, th.Vocabulary())
	}
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// The tuples of 32 values are beyond counting: the first are tried, not all made.
func TestConsistentWide(t *testing.T) {
	for _, tt := range []struct {
		name, axiom string
		admitted    int // operations
		err         error
	}{
		{"all", "forall x:Op. completed(x)", 1, nil},
		{"differ", "exists x:Op, y:Op. x != y & arg(x) = arg(y, 2)", 2, nil},
		{"ordered", "exists x:Op. arg(x, 31) < arg(x, 32)", 1, nil},
		{"none", "exists x:Op. !completed(x)", 0, check.ErrUndecided},
		{"none, ordered", "exists x:Op. !completed(x) & arg(x) < arg(x, 2)", 0, check.ErrUndecided},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := check.Consistent(t.Context(), wide(t, tt.axiom), 2)
			ops := 0
			if e != nil {
				ops = len(e.Ops)
			}
			if !errors.Is(err, tt.err) || ops != tt.admitted {
				t.Errorf("%d operations, error %v; want %d, %v", ops, err, tt.admitted, tt.err)
			}
		})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Consistent(ended, wide(t, "exists x:Op. !completed(x)"), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that of the context", err)
	}
}

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
