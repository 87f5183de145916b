package describe

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/internal/solver"
)

// errEffort is the error of a search for a matching scheme that asks a solver for more
// than it may.
var errEffort = errors.New("no matching scheme was found with little effort, and none is needed")

// metered is a solver that takes so many literals, in clauses and assumptions, and no
// more: the same number on every machine.
type metered struct {
	solver.Solver
	left *int
}

func (m *metered) Add(lits ...int) {
	*m.left -= len(lits)
	m.Solver.Add(lits...)
}

func (m *metered) Solve(ctx context.Context, assumptions ...int) (solver.Result, error) {
	if *m.left -= len(assumptions); *m.left < 0 {
		return 0, errEffort
	}
	return m.Solver.Solve(ctx, assumptions...)
}

// Close closes the solver that is metered.
func (m *metered) Close() error { return solver.Close(m.Solver) }

// metering makes solvers that share what is left of a number of literals.
func metering(make func() solver.Solver, left *int) func() solver.Solver {
	if make == nil {
		make = solver.New
	}
	return func() solver.Solver { return &metered{make(), left} }
}
