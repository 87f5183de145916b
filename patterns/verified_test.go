package patterns

import (
	"testing"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestVerified compares the checks that are taken over from synthesis with the checks made
// again. With another budget, or another scheme, they are not taken over.
func TestVerified(t *testing.T) {
	for _, spec := range []reference.Spec{queue.Spec, stack.Spec, set.Spec} {
		impl, err := reference.New(reference.Spec{Name: spec.Name, New: spec.New, Operations: spec.Operations, Skip: spec.Skip})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { impl.Close() })
		o := Options{}.withDefaults()
		start, found, err := o.scheme(t.Context(), impl, reference.Info{Name: spec.Name})
		if err != nil {
			t.Fatalf("%s: %v", spec.Name, err)
		}
		checked := func(change func(in *inference)) (*inference, theory.Status) {
			in := &inference{Options: o, theory: *start, synthesized: found}
			change(in)
			if err := in.explore(t.Context(), impl, 0); err != nil {
				t.Fatalf("%s: %v", spec.Name, err)
			}
			if err := in.checks(t.Context()); err != nil {
				t.Fatalf("%s: %v", spec.Name, err)
			}
			return in, in.theory.Status
		}
		in, taken := checked(func(*inference) {})
		_, made := checked(func(in *inference) { in.synthesized = nil })
		if !in.verified() {
			t.Errorf("%s: synthesis saw other kinds of operations", spec.Name)
		}
		if taken.Faithful != made.Faithful || taken.Normal != made.Normal {
			t.Errorf("%s: taken over %v and %v, made again %v and %v", spec.Name, taken.Faithful, taken.Normal, made.Faithful, made.Normal)
		}
		small, _ := checked(func(in *inference) { in.Checks = matching.Budget{Executions: 1, MinLength: 1, MaxLength: 1} })
		past, _ := checked(func(in *inference) {
			in.theory.Spec.Matching.Past = true
			in.Checks = matching.Budget{Executions: 1, MinLength: 1, MaxLength: 1}
		})
		if past.Checks = o.Checks; small.verified() || past.verified() {
			t.Errorf("%s: the checks of another budget or scheme are taken over", spec.Name)
		}
	}
}
