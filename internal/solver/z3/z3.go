//go:build z3

package z3

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	z3 "github.com/mitchellh/go-z3"

	"github.com/adtinfer/adtinfer/internal/solver"
)

// newSolver makes solvers. Their clauses live in Go, and a Z3 context holds a
// copy from the first Solve on: one that was interrupted is made anew.
var newSolver = func() solver.Solver { return &z3Solver{} }

type z3Solver struct {
	clauses [][]int
	vars    int
	model   []bool // by variable, of the last solver.Sat
	core    []int  // of the last solver.Unsat

	z3      *z3Context // nil before the first Solve and after an interruption
	cleanup runtime.Cleanup
}

func (s *z3Solver) NewVar() int {
	s.vars++
	return s.vars
}

func (s *z3Solver) Add(clause ...int) { s.clauses = append(s.clauses, slices.Clone(clause)) }

func (s *z3Solver) Solve(ctx context.Context, assumptions ...int) (solver.Result, error) {
	defer runtime.KeepAlive(s) // its cleanup closes the Z3 context
	s.model, s.core = s.model[:0], s.core[:0]
	if err := ctx.Err(); err != nil {
		return solver.Unknown, err
	}
	if s.z3 == nil {
		s.z3 = newZ3Context()
		s.cleanup = runtime.AddCleanup(s, (*z3Context).close, s.z3)
	}
	if err := s.z3.load(ctx, s.clauses); err != nil {
		return solver.Unknown, err
	}
	r, err := s.z3.check(ctx, assumptions)
	switch {
	case err != nil:
		s.Close()
	case r == solver.Sat:
		s.model = s.z3.model(s.model, s.vars)
	case r == solver.Unsat:
		s.core = s.z3.core(s.core, assumptions)
	}
	return r, err
}

func (s *z3Solver) True(lit int) bool {
	v := max(lit, -lit)
	return v < len(s.model) && s.model[v] == (lit > 0)
}

func (s *z3Solver) Core() []int { return slices.Clone(s.core) }

// Close frees the Z3 context.
func (s *z3Solver) Close() error {
	if s.z3 != nil {
		s.cleanup.Stop()
		s.z3.close()
		s.z3 = nil
	}
	return nil
}

// z3Context is all that Z3 holds for one z3Solver, which it must not refer to:
// go-z3 keeps error handlers, and what they refer to, in a global map.
type z3Context struct {
	config  *z3.Config
	context *z3.Context
	solver  *z3.Solver
	bool    *z3.Sort
	truth   *z3.AST
	pos     []*z3.AST // by variable - 1
	neg     []*z3.AST
	loaded  int   // clauses
	failure error // what Z3's error handler was told
}

func newZ3Context() *z3Context {
	c := &z3Context{config: z3.NewConfig()}
	c.context = z3.NewContext(c.config)
	// Without a handler Z3 would print the error and exit.
	c.context.SetErrorHandler(func(z *z3.Context, code z3.ErrorCode) {
		c.failure = fmt.Errorf("solver: z3: %s", z.Error(code))
	})
	c.solver = c.context.NewSolver()
	c.bool, c.truth = c.context.BoolSort(), c.context.True()
	return c
}

func (c *z3Context) close() {
	c.solver.Close()
	c.context.Close()
	c.config.Close()
}

// load asserts the clauses that are new.
func (c *z3Context) load(ctx context.Context, clauses [][]int) error {
	for ; c.loaded < len(clauses); c.loaded++ {
		if c.loaded%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.solver.Assert(c.clause(clauses[c.loaded]))
	}
	return nil
}

func (c *z3Context) clause(lits []int) *z3.AST {
	switch terms := c.literals(lits); len(terms) {
	case 0:
		return c.context.False()
	case 1:
		return terms[0]
	default:
		return terms[0].Or(terms[1:]...)
	}
}

func (c *z3Context) literals(lits []int) []*z3.AST {
	terms := make([]*z3.AST, len(lits))
	for i, l := range lits {
		terms[i] = c.literal(l)
	}
	return terms
}

func (c *z3Context) literal(l int) *z3.AST {
	v := max(l, -l)
	for len(c.pos) < v {
		x := c.context.Const(c.context.SymbolInt(len(c.pos)+1), c.bool)
		c.pos, c.neg = append(c.pos, x), append(c.neg, x.Not())
	}
	if l < 0 {
		return c.neg[v-1]
	}
	return c.pos[v-1]
}

// check runs Z3 until it answers or the context ends. A Z3 context that was
// interrupted, or failed, must be closed: it may go on saying "canceled".
func (c *z3Context) check(ctx context.Context, assumptions []int) (solver.Result, error) {
	terms := c.literals(assumptions)
	interrupted := interruptible(ctx, c.context)
	answer := checkAssuming(c.context, c.solver, terms)
	if interrupted() {
		return solver.Unknown, ctx.Err()
	}
	switch {
	case c.failure != nil:
		return solver.Unknown, c.failure
	case answer == z3.True:
		return solver.Sat, nil
	case answer == z3.False:
		return solver.Unsat, nil
	}
	return solver.Unknown, errors.New("solver: z3 gave up")
}

// model appends the values of the variables up to the last to an empty slice.
func (c *z3Context) model(dst []bool, vars int) []bool {
	m := c.solver.Model()
	defer m.Close()
	dst = append(dst, false)
	for v := 1; v <= vars; v++ {
		value := m.Eval(c.literal(v))
		dst = append(dst, value != nil && *value == *c.truth)
	}
	return dst
}

// core appends the assumptions of Z3's core.
func (c *z3Context) core(dst, assumptions []int) []int {
	in := unsatCore(c.context, c.solver)
	for _, l := range assumptions {
		if term := rawTerm(c.literal(l)); in[term] {
			dst = append(dst, l)
			delete(in, term)
		}
	}
	return dst
}
