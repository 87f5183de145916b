package solver

import (
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// A backend is a solver that this program knows by name.
type backend struct {
	name string
	new  func() Solver // nil if it is not built in
	how  string        // to build it in
}

// backends lists what --solver may name, the default first.
func backends() []backend { return []backend{{name: "gini", new: New}, z3Backend()} }

// Names lists the backends that are built in, the default first.
func Names() []string {
	var names []string
	for _, b := range backends() {
		if b.new != nil {
			names = append(names, b.name)
		}
	}
	return names
}

// ByName returns what makes solvers of the named backend: "gini" always, "z3"
// where the program was built with the tag z3. The empty name is the default.
// The error of a backend that is not built in says how to build it in.
func ByName(name string) (func() Solver, error) {
	var known []string
	for _, b := range backends() {
		switch {
		case b.name != name && name != "":
			known = append(known, b.name)
		case b.new == nil:
			return nil, fmt.Errorf("solver: %s is not built in: %s", b.name, b.how)
		default:
			return b.new, nil
		}
	}
	hint := suggest.Hint(name, known)
	if hint == "" {
		hint = "; use " + strings.Join(Names(), " or ")
	}
	return nil, fmt.Errorf("solver: unknown solver %q%s", name, hint)
}

// Close frees what a solver holds outside of Go's memory; it must not be used
// after that. The garbage collector does the same, later.
func Close(s Solver) error {
	if c, ok := s.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
