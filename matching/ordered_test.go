package matching_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// TestOrderedRefused: values are names here, so no formula may compare them by
// their order.
func TestOrderedRefused(t *testing.T) {
	for what, change := range map[string]func(*reference.Spec){
		"language rule small": func(s *reference.Spec) {
			s.Language = append(slices.Clone(s.Language), reference.Rule{Name: "small", Formula: "forall x:Op. method(x) = add -> arg(x) < 5"})
		},
		"target formula 2": func(s *reference.Spec) {
			s.Target = append(slices.Clone(s.Target[:1]), "method(y) = add & !(ret(x) < arg(y))")
		},
		"read-only formula": func(s *reference.Spec) { s.ReadOnly = "outcome(x) = nil | arg(x) < 5" },
	} {
		spec := queue.Spec
		change(&spec)
		_, err := modelOf(t, spec, false)
		if unsupported := (*matching.Unsupported)(nil); !errors.As(err, &unsupported) || !strings.Contains(unsupported.Reason, what+": it compares values by their order") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
