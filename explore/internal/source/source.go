package source

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Options says what to load. Zero values mean: what is found.
type Options struct {
	Dir  string   // a folder within a module
	Type string   // the type to explore
	New  string   // a Go expression of the package that makes the object: New(4), &Ring{N: 4}
	Tags []string // build tags
	Env  []string // more than the environment, e.g. GOFLAGS
}

// Package is a package to explore.
type Package struct {
	Path, Name string
	Prog       *ssa.Program
	// Packages are all, each after those it imports: their initialisers run in this order.
	Packages []*ssa.Package
	Type     string        // as in Go: *Set, Queue[int]
	New      *ssa.Function // has no parameters, one result: the object
	Ops      []Op
	Notes    []string // exported methods that are no operations, and why
	Root     string   // the module's folder: positions are told relative to it
}

// Op is an operation.
type Op struct {
	Method string        // as in a history
	GoName string        // as in Go: (*Set).Insert
	Func   *ssa.Function // takes the object, then the arguments
	Params []types.Type
	// Results are those of Func.
	Results []types.Type
}
