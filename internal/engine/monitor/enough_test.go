package monitor_test

import (
	"math/rand/v2"
	"testing"
)

// What is left of a violating prefix when it is made smaller is a violation by itself,
// whatever pending operations may do.
func TestEnough(t *testing.T) {
	for i, k := range kinds(t) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 17))
			violations, less := 0, 0
			for range samples(50_000) {
				e := small(r, k.Type)
				found, err := k.Check(t.Context(), e)
				if err != nil || found.Linearizable {
					continue
				}
				left := k.Enough(e, found.Prefix)
				if left == nil {
					continue
				}
				if k.Model.Linearizable(left) {
					t.Fatalf("of the first %d events of\n%s\nthese are no violation:\n%s", found.Prefix, e, left)
				}
				if violations++; len(left.Ops) < len(e.Prefix(found.Prefix).Ops) {
					less++
				}
			}
			if less < violations/2 || less == 0 {
				t.Errorf("of %d violations only %d were made smaller", violations, less)
			}
		})
	}
}
