package solver_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestHandsOver adds clauses of three literals until there are too many to search, or the
// search takes too long, and compares with gini at each step.
func TestHandsOver(t *testing.T) {
	before, after := map[solver.Result]int{}, map[solver.Result]int{}
	for seed := range testsize.Samples(600) {
		r := rand.New(rand.NewPCG(seed, 3))
		s, gini := solver.New(), solver.NewGini()
		vars := 20 + r.IntN(60)
		for range vars {
			s.NewVar()
			gini.NewVar()
		}
		literal := func() int { return (1 + r.IntN(vars)) * (1 - 2*r.IntN(2)) }
		var clauses [][]int
		for len(clauses) < 6*vars {
			for range vars / 2 {
				c := []int{literal(), literal(), literal()}
				clauses = append(clauses, c)
				s.Add(c...)
				gini.Add(c...)
			}
			var assume []int
			for range r.IntN(12) {
				assume = append(assume, literal())
			}
			got, err := s.Solve(t.Context(), assume...)
			want, wrong := gini.Solve(t.Context(), assume...)
			if got != want || err != nil || wrong != nil {
				t.Fatalf("seed %d, %d clauses: %v, by gini %v (%v, %v)", seed, len(clauses), got, want, err, wrong)
			}
			counts := before
			if solver.HandedOver(s) {
				counts = after
			}
			counts[got]++
			switch got {
			case solver.Sat:
				holds := func(l int) bool { return s.True(l) && !s.True(-l) }
				for _, c := range append(units(assume), clauses...) {
					if !slices.ContainsFunc(c, holds) {
						t.Fatalf("seed %d: the model breaks %v", seed, c)
					}
				}
			default:
				if again, _ := gini.Solve(t.Context(), s.Core()...); again != solver.Unsat {
					t.Fatalf("seed %d: core %v of %v is satisfiable", seed, s.Core(), assume)
				}
			}
		}
	}
	if min(before[solver.Sat], before[solver.Unsat], after[solver.Sat], after[solver.Unsat]) == 0 {
		t.Errorf("too one-sided a sample: %v before, %v after", before, after)
	}
}
