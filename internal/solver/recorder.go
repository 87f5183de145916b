package solver

import (
	"context"
	"slices"
)

// Recorder is a Solver that remembers its clauses and its last query, so that
// Dump can write them for other solvers.
type Recorder struct {
	Solver
	Name func(v int) string // what a variable stands for, for comments; may be nil

	vars        int   // the greatest variable
	clauses     []int // each ends with 0
	count       int   // of clauses
	assumptions []int
	result      Result
}

// NewRecorder returns a recorder in front of a solver without clauses.
func NewRecorder(s Solver) *Recorder { return &Recorder{Solver: s} }

// NewVar introduces a variable of the solver behind.
func (r *Recorder) NewVar() int {
	v := r.Solver.NewVar()
	r.vars = max(r.vars, v)
	return v
}

// Add remembers a clause and adds it to the solver behind.
func (r *Recorder) Add(clause ...int) {
	r.clauses = append(append(r.clauses, clause...), 0)
	r.count++
	r.Solver.Add(clause...)
}

// Solve remembers the assumptions, asks the solver behind, and remembers its
// answer.
func (r *Recorder) Solve(ctx context.Context, assumptions ...int) (Result, error) {
	r.assumptions = slices.Clone(assumptions)
	var err error
	r.result, err = r.Solver.Solve(ctx, assumptions...)
	return r.result, err
}

// Close closes the solver behind.
func (r *Recorder) Close() error { return Close(r.Solver) }

// each calls do for every clause in the order in which they were added.
func (r *Recorder) each(do func(clause []int)) {
	for rest := r.clauses; len(rest) > 0; {
		n := slices.Index(rest, 0)
		do(rest[:n])
		rest = rest[n+1:]
	}
}
