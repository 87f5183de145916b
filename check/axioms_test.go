package check_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestClausesOfAxioms compares clauses made of axioms with the axioms, by
// enumeration of linearizations: on whole theories, and on theories with some
// axioms left out, where those can be made clauses of.
func TestClausesOfAxioms(t *testing.T) {
	n := testsize.Samples(300)
	for _, s := range subjects[:4] {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			whole := byHand(t, s.name)
			if _, err := clauses.OfPatterns(whole); err != nil {
				t.Fatal(err)
			}
			clausal := 0
			counts := map[check.Verdict]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 41))
				th := *whole
				if r.IntN(2) == 0 {
					th.Spec.Axioms = slices.Clone(th.Spec.Axioms)
					th.Spec.Axioms = slices.DeleteFunc(th.Spec.Axioms, func(theory.Rule) bool { return r.IntN(4) == 0 })
				}
				if _, err := clauses.OfPatterns(&th); err == nil {
					clausal++
				}
				e := s.Execution(r, 2+r.IntN(4), 1+r.IntN(3), 2)
				res, err := by{Engine: "symbolic"}.Check(t.Context(), &th, e)
				if outside := (*check.OutsideLanguage)(nil); errors.As(err, &outside) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				counts[res.Verdict]++
				want := enumerateAll(&th, e).admitted
				switch {
				case (res.Verdict == check.Linearizable) != want:
				case res.Verdict == check.Violation && !enumerateAll(&th, e.Prefix(res.Prefix-1)).admitted:
				default:
					continue
				}
				t.Fatalf("seed %d: %+v, enumeration says admitted %v\n%s", seed, res, want, historytest.Text(e))
			}
			t.Log(counts, clausal)
			if clausal < int(n)/2 || min(counts[check.Violation], counts[check.Linearizable]) < int(n)/10 {
				t.Errorf("too one-sided a sample: %v, %d by clauses", counts, clausal)
			}
		})
	}
}
