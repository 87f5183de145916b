//go:build z3

package matching_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/solver/z3"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

func examples() []reference.Spec {
	return []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec}
}

func backend(t testing.TB, name string) func() solver.Solver {
	t.Helper()
	s, err := solver.WithDefault(z3.Backend()).ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outcomeWith is the outcome for a type, in words: of a refusal, the first line,
// as the others are a core, of which there are several.
func outcomeWith(t testing.TB, new any, s func() solver.Solver) []string {
	t.Helper()
	impl, err := reference.Of(new)
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	r, err := matching.Synthesize(context.Background(), impl, matching.Options{Solver: s})
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return []string{first}
	}
	out := []string{formula.String(r.Matching.ReadOnly)}
	for _, f := range r.Matching.Target {
		out = append(out, formula.String(f))
	}
	for _, l := range r.Language {
		out = append(out, formula.String(l.Formula))
	}
	return out
}

// both asks two backends everything and answers with the first.
type both struct {
	solver.Solver
	second  solver.Solver
	t       testing.TB
	queries *int
}

func (b both) NewVar() int {
	v := b.Solver.NewVar()
	if w := b.second.NewVar(); v != w {
		b.t.Fatalf("variable %d is %d in the other", v, w)
	}
	return v
}

func (b both) Add(clause ...int) { b.Solver.Add(clause...); b.second.Add(clause...) }

func (b both) Solve(ctx context.Context, assumptions ...int) (solver.Result, error) {
	*b.queries++
	r, err := b.Solver.Solve(ctx, assumptions...)
	if again, err2 := b.second.Solve(ctx, assumptions...); r != again || (err == nil) != (err2 == nil) {
		b.t.Errorf("query %d: %v, %v from one, %v, %v from the other", *b.queries, r, err, again, err2)
	}
	return r, err
}

// TestZ3AnswersAlike asks gini and Z3 every query of a synthesis, and then has
// Z3 alone do it: models and cores may differ, the outcome must not.
func TestZ3AnswersAlike(t *testing.T) {
	types := map[string]any{
		"abc":     func() *abc { return &abc{} },
		"bounded": func() *bounded { return &bounded{} }, // refused
		"cas":     func() *cas { return &cas{} },         // refused
	}
	for _, spec := range examples() {
		types[spec.Name] = spec.New
	}
	for name, new := range types {
		t.Run(name, func(t *testing.T) {
			queries := 0
			want := outcomeWith(t, new, func() solver.Solver {
				return both{solver.New(), backend(t, "z3")(), t, &queries}
			})
			if queries == 0 {
				t.Error("no query")
			}
			t.Logf("%d queries", queries)
			if d := cmp.Diff(want, outcomeWith(t, new, backend(t, "z3"))); d != "" {
				t.Errorf("-gini +z3:\n%s", d)
			}
		})
	}
}

// script is what a synthesis asked of its solvers, one after the other.
type script struct {
	calls [][]int // a clause, or a query
	query []bool
	vars  int
}

// scribe writes a script down. Every solver that a synthesis makes gets one.
type scribe struct {
	solver.Solver
	*script
}

func (s scribe) NewVar() int { s.vars++; return s.Solver.NewVar() }

func (s scribe) Add(clause ...int) { s.note(false, clause); s.Solver.Add(clause...) }

func (s scribe) Solve(ctx context.Context, assumptions ...int) (solver.Result, error) {
	s.note(true, assumptions)
	return s.Solver.Solve(ctx, assumptions...)
}

func (s scribe) note(query bool, lits []int) {
	s.calls, s.query = append(s.calls, slices.Clone(lits)), append(s.query, query)
}

// play does to a solver what the script says and counts queries.
func (s *script) play(t testing.TB, to solver.Solver) (queries int) {
	for range s.vars {
		to.NewVar()
	}
	for i, lits := range s.calls {
		if !s.query[i] {
			to.Add(lits...)
			continue
		}
		queries++
		if r, err := to.Solve(context.Background(), lits...); r == solver.Unknown {
			t.Fatal(err)
		}
	}
	return queries
}

// BenchmarkSolve is solver time alone: the queries of each example's synthesis,
// written down once and played to every backend.
func BenchmarkSolve(b *testing.B) {
	for _, spec := range examples() {
		var scripts []*script
		outcomeWith(b, spec.New, func() solver.Solver {
			s := &script{}
			scripts = append(scripts, s)
			return scribe{solver.New(), s}
		})
		for _, name := range solver.WithDefault(z3.Backend()).Names() {
			b.Run(name+"/"+spec.Name, func(b *testing.B) {
				queries := 0
				for b.Loop() {
					queries = 0
					for _, s := range scripts {
						to := backend(b, name)()
						queries += s.play(b, to)
						solver.Close(to)
					}
				}
				b.ReportMetric(float64(queries), "queries")
			})
		}
	}
}
