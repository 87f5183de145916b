package check_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestWide: about short executions in which many operations overlap, which auto hands to
// near-linear procedures, it says what satisfiability says.
func TestWide(t *testing.T) {
	for _, typ := range []historytest.Type{historytest.Queue(), historytest.Stack(), historytest.Register(), historytest.Lock()} {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			th := historytest.Example(t, typ.Name)
			auto := must(check.New(th, check.Options{}))
			exact := must(check.New(th, check.Options{Engine: "symbolic", Timeout: 10 * time.Second}))
			counts, procedures := map[check.Verdict]int{}, 0
			for seed := range max(testsize.Samples(60), 12) {
				r := rand.New(rand.NewPCG(seed, 17))
				e := typ.Execution(r, 100+r.IntN(40), 22+r.IntN(10), []int{0, 60, 200}[r.IntN(3)])
				want, err := exact.Check(t.Context(), e)
				got, bad := auto.Check(t.Context(), e)
				if (err == nil) != (bad == nil) {
					t.Fatalf("seed %d: %v, symbolic: %v", seed, bad, err)
				}
				if err != nil || want.Verdict == check.Inconclusive || want.Detail != "" {
					continue // outside the language, not decided in time, or a shorter prefix may violate
				}
				if got.Verdict != want.Verdict || got.Prefix > want.Prefix {
					t.Fatalf("seed %d: %+v, symbolic: %+v\n%s", seed, got, want, historytest.Text(e))
				}
				counts[got.Verdict]++
				if got.Procedure != "" {
					procedures++
				}
			}
			t.Log(counts, procedures)
			if procedures == 0 || counts[check.Linearizable] == 0 || counts[check.Violation] == 0 {
				t.Errorf("%v, %d by procedures: too one-sided a sample", counts, procedures)
			}
		})
	}
}
