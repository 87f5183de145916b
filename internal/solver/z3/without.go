//go:build !z3

package z3

import "github.com/adtinfer/adtinfer/internal/solver"

var newSolver func() solver.Solver
