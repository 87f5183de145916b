package check_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/solver/z3"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestCoresAreEnough compares each core with the definition: theories of these
// patterns and axioms alone exclude the violating prefix, and none fewer do.
func TestCoresAreEnough(t *testing.T) {
	n := testsize.Samples(400)
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			engine := ready(t, by{Engine: "symbolic"}, th)
			violations := 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 29))
				e := s.Execution(r, 2+r.IntN(3), 1+r.IntN(3), 3)
				res, err := engine.Check(t.Context(), th, e)
				if err != nil || res.Verdict != check.Violation {
					continue
				}
				violations++
				if enumerateAll(historytest.Only(th, res.Patterns), e.Prefix(res.Prefix)).admitted {
					t.Fatalf("seed %d: %q are not enough for the first %d events of\n%s", seed, res.Patterns, res.Prefix, historytest.Text(e))
				}
				for i := range res.Patterns {
					fewer := append(append([]string(nil), res.Patterns[:i]...), res.Patterns[i+1:]...)
					if !enumerateAll(historytest.Only(th, fewer), e.Prefix(res.Prefix)).admitted {
						t.Fatalf("seed %d: of %q number %d is not needed for the first %d events of\n%s", seed, res.Patterns, i, res.Prefix, historytest.Text(e))
					}
				}
			}
			if violations < int(n)/20 {
				t.Errorf("%d violations are too few", violations)
			}
		})
	}
}

// TestSymbolicWithEachSolver: the backends agree.
func TestSymbolicWithEachSolver(t *testing.T) {
	backends := solver.WithDefault(z3.Backend())
	for _, name := range backends.Names() {
		backend, err := backends.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []subject{subjects[0], subjects[4]} {
			th := build(t, s.source)
			first, other := ready(t, by{Engine: "symbolic"}, th), ready(t, by{Engine: "symbolic", Solver: backend}, th)
			for seed := range uint64(100) {
				r := rand.New(rand.NewPCG(seed, 31))
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				want, wantErr := first.Check(t.Context(), th, e)
				got, err := other.Check(t.Context(), th, e)
				if (err == nil) != (wantErr == nil) || got.Verdict != want.Verdict || got.Prefix != want.Prefix {
					t.Fatalf("%s: %+v, %v; the default says %+v\n%s", name, got, err, want, historytest.Text(e))
				}
			}
		}
	}
}

// TestWhole: without the search for the shortest prefix the verdicts are the
// same, and results say that it was not sought.
func TestWhole(t *testing.T) {
	s := subjects[1]
	th := build(t, s.source)
	engines := allEngines()[:4]
	for _, engine := range engines {
		t.Run(engine.Name(), func(t *testing.T) {
			exact, whole := ready(t, engine, th), ready(t, whole(engine), th)
			violations := 0
			for seed := range uint64(60) {
				e := s.Execution(rand.New(rand.NewPCG(seed, 37)), 5, 3, 3)
				want, err := exact.Check(t.Context(), th, e)
				got, err2 := whole.Check(t.Context(), th, e)
				if (err == nil) != (err2 == nil) {
					t.Fatal(err, err2)
				}
				if got.Verdict != want.Verdict {
					t.Fatalf("%+v and %+v\n%s", got, want, historytest.Text(e))
				}
				if got.Verdict == check.Violation {
					violations++
					if got.Prefix != e.Events || !strings.Contains(got.Detail, "the shortest violating prefix was not sought") {
						t.Fatalf("%+v", got)
					}
				}
			}
			if violations < 5 {
				t.Errorf("%d violations are too few", violations)
			}
		})
	}
}
