package solver

import (
	"fmt"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Backend is a solver that users know by name.
type Backend struct {
	Name string
	New  func() Solver // nil if it is not built in
	How  string        // to build it in
}

// Backends are the solvers that users may name, the default first.
type Backends []Backend

// WithDefault are the default and others.
func WithDefault(others ...Backend) Backends {
	return append(Backends{{Name: "gini", New: New}}, others...)
}

// Names lists the backends that are built in, the default first.
func (bs Backends) Names() []string {
	var names []string
	for _, b := range bs {
		if b.New != nil {
			names = append(names, b.Name)
		}
	}
	return names
}

// ByName returns what makes solvers of the named backend. The empty name is the
// default. The error of a backend that is not built in says how to build it in.
func (bs Backends) ByName(name string) (func() Solver, error) {
	var known []string
	for _, b := range bs {
		switch {
		case b.Name != name && name != "":
			known = append(known, b.Name)
		case b.New == nil:
			return nil, fmt.Errorf("solver: %s is not built in: %s", b.Name, b.How)
		default:
			return b.New, nil
		}
	}
	hint := wording.Hint(name, known)
	if hint == "" {
		hint = "; use " + strings.Join(bs.Names(), " or ")
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
