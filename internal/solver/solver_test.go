package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// each runs a test against every backend that is built in, and gini alone.
func each(t *testing.T, test func(t *testing.T, backend func() solver.Solver)) {
	for _, name := range backends.Names() {
		backend, err := backends.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { test(t, backend) })
	}
	t.Run("alone/gini", func(t *testing.T) { test(t, solver.NewGini) })
}

func Example() {
	s := solver.New()
	a, b := s.NewVar(), s.NewVar()
	s.Add(a, b)
	s.Add(-a)
	r, _ := s.Solve(context.Background())
	fmt.Println(r, s.True(a), s.True(b))
	r, _ = s.Solve(context.Background(), -b)
	fmt.Println(r, s.Core())
	// Output:
	// sat false true
	// unsat [-2]
}

// satisfiable is the truth table.
func satisfiable(vars int, clauses [][]int) bool {
	for m := range 1 << vars {
		if models(m, clauses) {
			return true
		}
	}
	return false
}

func models(m int, clauses [][]int) bool {
	holds := func(l int) bool { return (m>>(max(l, -l)-1)&1 == 1) == (l > 0) }
	for _, c := range clauses {
		if !slices.ContainsFunc(c, holds) {
			return false
		}
	}
	return true
}

func randomClause(r *rand.Rand, vars int) []int {
	c := make([]int, 1+r.IntN(4))
	for i := range c {
		c[i] = (1 + r.IntN(vars)) * (1 - 2*r.IntN(2))
	}
	return c
}

func units(lits []int) (clauses [][]int) {
	for _, l := range lits {
		clauses = append(clauses, []int{l})
	}
	return clauses
}

// TestAgainstTruthTables adds random clauses in steps and solves after each
// step under random assumptions: verdicts, models and cores must be right.
func TestAgainstTruthTables(t *testing.T) { each(t, testAgainstTruthTables) }

func testAgainstTruthTables(t *testing.T, backend func() solver.Solver) {
	counts := map[solver.Result]int{}
	seeds := testsize.Samples(15_000)
	if strings.HasSuffix(t.Name(), "/z3") {
		seeds = 500 // each of its contexts costs milliseconds
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		vars := 1 + r.IntN(7)
		s := backend()
		for range vars {
			s.NewVar()
		}
		var clauses [][]int
		for range 6 {
			for range 1 + r.IntN(5) {
				c := randomClause(r, vars)
				clauses = append(clauses, c)
				s.Add(c...)
			}
			var assume []int
			for range r.IntN(4) {
				assume = append(assume, (1+r.IntN(vars))*(1-2*r.IntN(2)))
			}
			counts[checkOnce(t, s, vars, clauses, assume)]++
		}
		if err := solver.Close(s); err != nil {
			t.Fatal(err)
		}
	}
	if enough := int(seeds); counts[solver.Sat] < enough || counts[solver.Unsat] < enough {
		t.Errorf("too one-sided a sample: %v", counts)
	}
}

func checkOnce(t *testing.T, s solver.Solver, vars int, clauses [][]int, assume []int) solver.Result {
	t.Helper()
	got, err := s.Solve(t.Context(), assume...)
	if err != nil {
		t.Fatal(err)
	}
	want := satisfiable(vars, append(units(assume), clauses...))
	if (got == solver.Sat) != want {
		t.Fatalf("Solve(%v under %v) = %v, truth table says %v", clauses, assume, got, want)
	}
	if got == solver.Sat {
		m := 0
		for v := 1; v <= vars; v++ {
			if s.True(v) == s.True(-v) {
				t.Fatalf("variable %d is neither true nor false", v)
			}
			if s.True(v) {
				m |= 1 << (v - 1)
			}
		}
		if !models(m, append(units(assume), clauses...)) {
			t.Fatalf("the model %b does not satisfy %v under %v", m, clauses, assume)
		}
		return got
	}
	core := s.Core()
	for _, l := range core {
		if !slices.Contains(assume, l) {
			t.Fatalf("core %v has %d, which was not assumed (%v)", core, l, assume)
		}
	}
	if satisfiable(vars, append(units(core), clauses...)) {
		t.Fatalf("core %v of %v under %v is satisfiable", core, clauses, assume)
	}
	if again := s.Core(); !slices.Equal(core, again) {
		t.Fatalf("core %v, asked again %v", core, again)
	}
	return got
}

func TestEmptyClause(t *testing.T) { each(t, testEmptyClause) }

func testEmptyClause(t *testing.T, backend func() solver.Solver) {
	s := backend()
	s.Add()
	if r, err := s.Solve(t.Context()); r != solver.Unsat || err != nil {
		t.Errorf("Solve = %v, %v", r, err)
	}
}

func TestModelSurvivesAdd(t *testing.T) { each(t, testModelSurvivesAdd) }

func testModelSurvivesAdd(t *testing.T, backend func() solver.Solver) {
	s := backend()
	a, b := s.NewVar(), s.NewVar()
	s.Add(a)
	s.Add(b)
	if r, _ := s.Solve(t.Context()); r != solver.Sat {
		t.Fatal(r)
	}
	s.Add(-a, -b)
	if !s.True(a) || !s.True(b) {
		t.Error("adding a clause changed the last model")
	}
}

// pigeons is the pigeonhole principle: n+1 pigeons, n holes; hard for resolution.
func pigeons(s solver.Solver, n int) solver.Solver {
	in := make([][]int, n+1)
	for p := range in {
		for range n {
			in[p] = append(in[p], s.NewVar())
		}
		s.Add(in[p]...)
	}
	for h := range n {
		for p := range in {
			for q := range p {
				s.Add(-in[p][h], -in[q][h])
			}
		}
	}
	return s
}

// polled is a context that ends when it is asked for the n-th time whether it has,
// and soon after its beginning for backends that wait for it in another way.
type polled struct {
	context.Context
	cancel context.CancelFunc
	left   int
}

func endsAfter(t *testing.T, polls int) *polled {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	if !strings.HasSuffix(t.Name(), "/gini") {
		timer := time.AfterFunc(20*time.Millisecond, cancel)
		t.Cleanup(func() { timer.Stop() })
	}
	return &polled{ctx, cancel, polls}
}

func (p *polled) Err() error {
	if p.left--; p.left <= 0 {
		p.cancel()
	}
	return p.Context.Err()
}

// A search that takes hours ends with the context, which is polled on the way,
// and leaves no goroutine behind.
func TestSolveNoticesTheContext(t *testing.T) { each(t, testSolveNoticesTheContext) }

func testSolveNoticesTheContext(t *testing.T, backend func() solver.Solver) {
	before := runtime.NumGoroutine()
	r, err := pigeons(backend(), 14).Solve(endsAfter(t, 4))
	if r != solver.Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("Solve = %v, %v", r, err)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestSolveAgainAfterInterruption(t *testing.T) { each(t, testSolveAgainAfterInterruption) }

func testSolveAgainAfterInterruption(t *testing.T, backend func() solver.Solver) {
	s := pigeons(backend(), 7)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := s.Solve(ctx); r != solver.Unknown || !errors.Is(err, context.Canceled) {
		t.Fatalf("Solve after the end of the context = %v, %v", r, err)
	}
	if r, err := s.Solve(t.Context()); r != solver.Unsat || err != nil {
		t.Errorf("Solve = %v, %v", r, err)
	}
}

// TestSolveEasilyAfterInterruption interrupts a search on its way: what is
// asked after that must be answered, with a model or a core.
func TestSolveEasilyAfterInterruption(t *testing.T) { each(t, testSolveEasilyAfterInterruption) }

func testSolveEasilyAfterInterruption(t *testing.T, backend func() solver.Solver) {
	s := backend()
	on, off := s.NewVar(), s.NewVar()
	s.Add(-on, -off)
	pigeons(conditional{s, on}, 14)
	for range 3 {
		if r, err := s.Solve(endsAfter(t, 3), on); r != solver.Unknown || !errors.Is(err, context.Canceled) {
			t.Fatalf("Solve = %v, %v", r, err)
		}
		if core := s.Core(); len(core) > 0 {
			t.Errorf("core %v of no answer", core)
		}
		if r, err := s.Solve(t.Context(), off); r != solver.Sat || err != nil || !s.True(off) || s.True(on) {
			t.Fatalf("then Solve = %v, %v", r, err)
		}
		if r, err := s.Solve(t.Context(), off, on); r != solver.Unsat || err != nil || len(s.Core()) != 2 {
			t.Fatalf("then Solve = %v, %v, core %v", r, err, s.Core())
		}
	}
}

// conditional adds clauses that hold where on does.
type conditional struct {
	solver.Solver
	on int
}

func (c conditional) Add(clause ...int) { c.Solver.Add(append(slices.Clone(clause), -c.on)...) }

// TestCoresLeaveOutWhatDoesNotMatter has one small contradiction among many
// assumptions that are nothing to it.
func TestCoresLeaveOutWhatDoesNotMatter(t *testing.T) { each(t, testCoresLeaveOut) }

func testCoresLeaveOut(t *testing.T, backend func() solver.Solver) {
	s := backend()
	var assume []int
	for range 500 {
		on, x := s.NewVar(), s.NewVar()
		s.Add(-on, x)
		assume = append(assume, on)
	}
	s.Add(-assume[17], -assume[300], -assume[444])
	if r, err := s.Solve(t.Context(), assume...); r != solver.Unsat || err != nil {
		t.Fatalf("Solve = %v, %v", r, err)
	}
	core := s.Core()
	slices.Sort(core)
	if want := []int{assume[17], assume[300], assume[444]}; !slices.Equal(core, want) {
		t.Errorf("core %v, want %v", core, want)
	}
}

func TestNoCoreAfterSat(t *testing.T) { each(t, testNoCoreAfterSat) }

func testNoCoreAfterSat(t *testing.T, backend func() solver.Solver) {
	s := backend()
	a := s.NewVar()
	s.Add(a)
	for _, assume := range []int{-a, a} {
		if _, err := s.Solve(t.Context(), assume); err != nil {
			t.Fatal(err)
		}
	}
	if core := s.Core(); len(core) > 0 {
		t.Errorf("core %v after sat", core)
	}
}

func TestCoreSurvivesAdd(t *testing.T) { each(t, testCoreSurvivesAdd) }

func testCoreSurvivesAdd(t *testing.T, backend func() solver.Solver) {
	s := backend()
	a, b := s.NewVar(), s.NewVar()
	s.Add(-a, -b)
	if r, _ := s.Solve(t.Context(), a, b); r != solver.Unsat {
		t.Fatal(r)
	}
	s.Add(-a)
	core := s.Core()
	slices.Sort(core)
	if !slices.Equal(core, []int{a, b}) {
		t.Errorf("core %v, want what the query rested on", core)
	}
}

func TestConflictingAssumptions(t *testing.T) { each(t, testConflictingAssumptions) }

func testConflictingAssumptions(t *testing.T, backend func() solver.Solver) {
	s := backend()
	a, b := s.NewVar(), s.NewVar()
	if r, err := s.Solve(t.Context(), a, b, -a, a); r != solver.Unsat || err != nil {
		t.Fatalf("Solve = %v, %v", r, err)
	}
	core := s.Core()
	slices.Sort(core)
	if !slices.Equal(core, []int{-a, a}) {
		t.Errorf("core %v", core)
	}
	if r, err := s.Solve(t.Context(), a, b); r != solver.Sat || err != nil || !s.True(a) || !s.True(b) {
		t.Errorf("then Solve = %v, %v", r, err)
	}
}
