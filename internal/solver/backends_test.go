package solver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/solver/z3"
)

// backends are those that the command has.
var backends = solver.WithDefault(z3.Backend())

func TestByName(t *testing.T) {
	for _, name := range append(backends.Names(), "") {
		backend, err := backends.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		s := backend()
		a := s.NewVar()
		s.Add(-a)
		if r, err := s.Solve(t.Context()); r != solver.Sat || err != nil || s.True(a) {
			t.Errorf("%q: Solve = %v, %v", name, r, err)
		}
	}
}

func TestByNameRefuses(t *testing.T) {
	refused := map[string]string{
		"gimi":    `solver: unknown solver "gimi"; did you mean "gini"?`,
		"minisat": `solver: unknown solver "minisat"; use gini`,
		"GINI":    `solver: unknown solver "GINI"`,
	}
	if !slices.Contains(backends.Names(), "z3") {
		refused["z3"] = "solver: z3 is not built in: it needs cgo, the Z3 library and the build tag z3"
	}
	for name, want := range refused {
		if s, err := backends.ByName(name); s != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ByName(%q): error %v, want %s", name, err, want)
		}
	}
}

func TestGiniIsTheDefault(t *testing.T) {
	if names := backends.Names(); names[0] != "gini" {
		t.Errorf("backends %v", names)
	}
}
