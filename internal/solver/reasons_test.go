package solver_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestReasons selects groups of random clauses by literals: what is returned excludes every model, no
// less of it does, and it is the first literal that does alone, whichever solver is asked.
func TestReasons(t *testing.T) {
	sizes := map[int]int{}
	for seed := range testsize.Samples(8_000) {
		r := rand.New(rand.NewPCG(seed, 4))
		vars, clauses := 1+r.IntN(4), [][][]int{} // by selector
		for range 1 + r.IntN(6) {
			var group [][]int
			for range 1 + r.IntN(3) {
				group = append(group, randomClause(r, vars))
			}
			clauses = append(clauses, group)
		}
		unsat := func(of uint) bool { // of some of the clauses
			var some [][]int
			for i, group := range clauses {
				if of>>i&1 == 1 {
					some = append(some, group...)
				}
			}
			return !satisfiable(vars, some)
		}
		var answers [][]int
		for _, backend := range []func() solver.Solver{solver.New, solver.NewGini} {
			s := backend()
			for range vars {
				s.NewVar()
			}
			var selectors []int
			for _, group := range clauses {
				on := s.NewVar()
				for _, c := range group {
					s.Add(append(slices.Clone(c), -on)...)
				}
				selectors = append(selectors, on)
			}
			got, err := solver.Reasons(selectors, func(lits []int) (bool, error) {
				res, err := s.Solve(t.Context(), lits...)
				return res == solver.Sat, err
			})
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, got)
		}
		if !slices.Equal(answers[0], answers[1]) {
			t.Fatalf("seed %d: %v, by gini %v", seed, answers[0], answers[1])
		}
		var of uint
		for _, l := range answers[0] {
			of |= 1 << (l - vars - 1)
		}
		if all := uint(1)<<len(clauses) - 1; unsat(all) != (of != 0) || of != 0 && !unsat(of) {
			t.Fatalf("seed %d: %v of %v", seed, answers[0], clauses)
		}
		for i := range clauses {
			if of>>i&1 == 1 && unsat(of&^(1<<i)) {
				t.Fatalf("seed %d: %d of %v can be left out", seed, i, answers[0])
			}
			if one := uint(1) << i; unsat(one) && bits.OnesCount(of) > 1 {
				t.Fatalf("seed %d: clause %d does alone, and not only %v", seed, i, answers[0])
			}
		}
		sizes[bits.OnesCount(of)]++
	}
	if min(sizes[0], sizes[1], sizes[2], sizes[3]) < 10 {
		t.Errorf("too one-sided a sample: %v", sizes)
	}
}
