//go:build z3

package synthesis_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/matching/synthesis"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/solver"
)

var exampleSpecs = []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec}

func synthesizeWith(t testing.TB, spec reference.Spec, s func() solver.Solver) *synthesis.Result {
	t.Helper()
	impl, err := reference.Of(spec.New)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	r, err := synthesis.Synthesize(context.Background(), impl, synthesis.Options{Solver: s})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestZ3(t *testing.T) {
	z3, err := solver.ByName("z3")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range exampleSpecs {
		t.Run(spec.Name, func(t *testing.T) {
			start := time.Now()
			a := synthesizeWith(t, spec, solver.New)
			g := time.Since(start)
			start = time.Now()
			b := synthesizeWith(t, spec, z3)
			t.Log(g, time.Since(start), a.Stats.Solving, b.Stats.Solving, a.Stats.Constraints, a.Stats.Valuations, a.Stats.Refinements)
			if d := cmp.Diff(a.Matching, b.Matching); d != "" {
				t.Error(d)
			}
		})
	}
}
