// Package solver decides propositional formulas in conjunctive normal form, for the
// synthesis in matching, and for the engines symbolic and ground.
//
// Solver is the one interface the rest of the project uses. A clause is a list of
// non-zero integers as in DIMACS: variable v is the literal v, its negation -v.
//
//	New       the default backend: gini, pure Go
//	Backends  solvers by name; package z3 adds one
//	Recorder  a Solver that can write its queries as DIMACS or SMT-LIB 2
//	Close     frees what a backend holds outside of Go's memory
//
//	s := solver.New()
//	a, b := s.NewVar(), s.NewVar()
//	s.Add(a, b)
//	s.Add(-a)
//	r, err := s.Solve(ctx)   // r == solver.Sat
//	s.True(b)                // true
package solver

import "context"

// Result is what a solver found.
type Result int

const (
	Unknown Result = iota // the context ended first
	Sat
	Unsat
)

// String names the result in lower case.
func (r Result) String() string { return [...]string{"unknown", "sat", "unsat"}[r] }

// Solver is an incremental SAT solver. It is not safe for concurrent use.
type Solver interface {
	// NewVar introduces a variable and returns its positive literal (> 0).
	NewVar() int
	// Add adds a clause. The empty clause makes the formula unsatisfiable.
	Add(clause ...int)
	// Solve decides the clauses added so far under the given assumptions. It
	// returns Unknown with the context's error when the context ends first.
	Solve(ctx context.Context, assumptions ...int) (Result, error)
	// True reports whether the literal holds in the model of the last Sat.
	True(lit int) bool
	// Core lists the assumptions that the last Unsat rests on.
	Core() []int
}
