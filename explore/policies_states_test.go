package explore_test

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

// TestPoliciesAreCheap sees to it that a policy has at most twice the states of the code alone.
func TestPoliciesAreCheap(t *testing.T) {
	t.Parallel()
	for _, p := range policies {
		for i, at := range []explore.Bounds{bounds(2, 2, 2), bounds(3, 1, 2)} {
			if p.states[i] > 10_000 {
				continue
			}
			t.Run(fmt.Sprintf("%s %v", p.of, at), func(t *testing.T) {
				t.Parallel()
				o := p.options(t, folder(p.of), at)
				plain, err := explore.PlainStates(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d states of the code alone", plain)
				if p.states[i] > 2*int64(plain) {
					t.Errorf("%d states with the policy, %d without", p.states[i], plain)
				}
			})
		}
	}
}
