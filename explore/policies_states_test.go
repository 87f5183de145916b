package explore_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestPoliciesAreCheap sees to it that with two goroutines a policy has at most twice the states of
// the code alone. With three, an operation that was announced for a partner makes more of a difference.
func TestPoliciesAreCheap(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, p := range policies {
		if tooMany(p.states[0]) {
			continue
		}
		t.Run(p.of, func(t *testing.T) {
			t.Parallel()
			plain, err := explore.PlainStates(t.Context(), p.options(t, folder(p.of), bounds(2, 2, 2)))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d states with the policy, %d without", p.states[0], plain)
			if p.states[0] > 2*int64(plain) {
				t.Errorf("%d states with the policy, %d without", p.states[0], plain)
			}
		})
	}
}
