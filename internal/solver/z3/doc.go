// Package z3 is Z3 as a solver, where the program is built with the tag z3. The only
// package that imports it is the command, so that programs with this module's
// libraries need neither cgo nor Z3.
package z3

import "github.com/adtinfer/adtinfer/internal/solver"

// Backend is Z3.
func Backend() solver.Backend {
	return solver.Backend{Name: "z3", New: newSolver,
		How: `it needs cgo, the Z3 library and the build tag z3; in the source tree, scripts/z3 build -o "$PWD/adtinfer" ./cmd/adtinfer does it all`}
}
