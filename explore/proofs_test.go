package explore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestProofsOfMutants takes mistakes of the code and of the policy: what is proved for any number of
// goroutines is not refuted within bounds.
func TestProofsOfMutants(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, a := range proved {
		for d := 1; d <= 2; d++ {
			t.Run(fmt.Sprintf("%s with %d values", a.of, d), func(t *testing.T) {
				t.Parallel()
				most := a.cap
				if most == 0 {
					most = 8 // what is wrong may make lists that grow
				}
				o := provedOptions(a.of, folder(a.of), a.model, most)
				o.Bounds.Values = d
				all := []explore.Bounds{bounds(2, 1, d), bounds(2, 2, d), bounds(3, 1, d), bounds(2, 2, 1), bounds(3, 2, 1)}
				n, good := 0, 0
				pick := func(i, _ int) bool { return testsize.Nightly() || i%30 == d }
				err := explore.MutantsTwoWays(t.Context(), o, 3*time.Second, all, testsize.Nightly(), pick, func(x explore.TwoWays) {
					n++
					switch {
					case x.Any.Verdict == explore.Proved && x.Refuted:
						t.Errorf("%s: %s: proved, but refuted with %v: %s", x.Place, x.What, x.Bounds, x.Why)
					case x.Any.Verdict == explore.Proved:
						good++
					case testsize.Nightly() && !x.Refuted:
						t.Logf("%s: %s: holds, but is not proved: %s", x.Place, x.What, x.Any.Why)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%d mutants, %d proved", n, good)
			})
		}
	}
}
