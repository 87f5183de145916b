package solver

import (
	"context"
	"time"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// A solving slice is how long gini runs before the context is looked at again.
// Learned clauses and saved phases survive from slice to slice, so that cutting
// a long search into slices costs a restart each, and no goroutine.
const (
	firstSlice = 2 * time.Millisecond
	lastSlice  = 20 * time.Millisecond
	endless    = 1 << 20 * time.Hour
)

type giniSolver struct {
	g     *gini.Gini
	vars  int
	model []bool // by variable, of the last Sat
	core  []int  // of the last Unsat

	// refuted: unsatisfiable without any assumption. gini forgets a conflict
	// at level 0 when a clause is added after it, so it is not asked again.
	refuted bool
}

func newGini() *giniSolver { return &giniSolver{g: gini.NewV(16)} }

func (s *giniSolver) NewVar() int {
	s.vars++
	return int(s.g.Lit().Var())
}

func (s *giniSolver) Add(clause ...int) {
	for _, l := range clause {
		s.g.Add(z.Dimacs2Lit(l))
	}
	s.g.Add(z.LitNull)
}

func (s *giniSolver) Solve(ctx context.Context, assumptions ...int) (Result, error) {
	s.model, s.core = s.model[:0], s.core[:0]
	for slice := firstSlice; ; slice = min(2*slice, lastSlice) {
		if err := ctx.Err(); err != nil {
			return Unknown, err
		}
		if s.refuted {
			return Unsat, nil
		}
		if ctx.Done() == nil {
			slice = endless
		}
		for _, l := range assumptions {
			s.g.Assume(z.Dimacs2Lit(l))
		}
		switch s.g.Try(slice) {
		case 1:
			s.keepModel()
			return Sat, nil
		case -1:
			s.keepCore()
			return Unsat, nil
		}
	}
}

// keepModel copies the assignment: later clauses undo it inside gini.
func (s *giniSolver) keepModel() {
	s.model = append(s.model, false)
	for v := 1; v <= s.vars; v++ {
		s.model = append(s.model, s.g.Value(z.Var(v).Pos()))
	}
}

func (s *giniSolver) keepCore() {
	for _, m := range s.g.Why(nil) {
		s.core = append(s.core, m.Dimacs())
	}
	s.refuted = len(s.core) == 0
}

func (s *giniSolver) True(lit int) bool {
	v := max(lit, -lit)
	return v < len(s.model) && s.model[v] == (lit > 0)
}

func (s *giniSolver) Core() []int { return append([]int(nil), s.core...) }
