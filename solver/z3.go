//go:build z3

package solver

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"time"

	"github.com/mitchellh/go-z3"
)

func z3Backend() backend { return backend{name: "z3", new: newZ3} }

// newZ3 returns the Z3 backend. Its clauses live in Go; a Z3 context holds a
// copy from the first Solve on.
func newZ3() Solver { return &z3Solver{} }

type z3Solver struct {
	clauses [][]int
	vars    int
	model   []bool   // by variable, of the last Sat
	unsat   *refuted // the last Unsat

	z3      *z3Context // nil before the first Solve and after an interruption
	cleanup runtime.Cleanup
}

// refuted is an unsatisfiable query. Few are asked for their core, so it is
// looked for only then.
type refuted struct {
	ctx       context.Context // of the query, and of the search for its core
	clauses   int
	took      time.Duration
	core      []int // at first, all assumptions
	minimized bool
}

func (s *z3Solver) NewVar() int {
	s.vars++
	return s.vars
}

func (s *z3Solver) Add(clause ...int) { s.clauses = append(s.clauses, slices.Clone(clause)) }

func (s *z3Solver) Solve(ctx context.Context, assumptions ...int) (Result, error) {
	s.model, s.unsat = s.model[:0], nil
	start := time.Now()
	r, err := s.check(ctx, len(s.clauses), assumptions)
	switch {
	case err != nil:
		return Unknown, err
	case r == Sat:
		s.model = s.z3.model(s.model, s.vars)
	default:
		s.unsat = &refuted{ctx: ctx, clauses: len(s.clauses), took: time.Since(start), core: slices.Clone(assumptions)}
	}
	return r, nil
}

// check decides the first n clauses under assumptions.
func (s *z3Solver) check(ctx context.Context, n int, assumptions []int) (Result, error) {
	defer runtime.KeepAlive(s) // its cleanup closes the context
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	if s.z3 == nil {
		s.z3 = newZ3Context()
		s.cleanup = runtime.AddCleanup(s, (*z3Context).close, s.z3)
	}
	if err := s.z3.load(ctx, s.clauses[:n]); err != nil {
		return Unknown, err
	}
	s.z3.assume(n, assumptions)
	r, err := s.z3.check(ctx)
	if err != nil {
		s.Close()
	}
	return r, err
}

func (s *z3Solver) True(lit int) bool {
	v := max(lit, -lit)
	return v < len(s.model) && s.model[v] == (lit > 0)
}

// Core of this backend costs a query for each member and each halving of the
// assumptions: go-z3 does not offer Z3's own cores. It is minimal unless those
// queries are much harder than the one that it belongs to.
func (s *z3Solver) Core() []int {
	u := s.unsat
	if u == nil {
		return nil
	}
	if !u.minimized {
		u.core, u.minimized = s.minimize(u), true
	}
	return slices.Clone(u.core)
}

// A query in the search for a core may take a little longer than the one that
// it belongs to, and all together as long as some of them.
const (
	probeTime  = 200 * time.Millisecond // and twice the time of the query
	probeTimes = 20
)

// minimize looks for literals that the core can do without. One that takes too
// long to find out about stays.
func (s *z3Solver) minimize(u *refuted) (core []int) {
	limit := probeTime + 2*u.took
	all, cancel := context.WithTimeout(u.ctx, probeTimes*limit)
	defer cancel()
	suffices := func(assumptions []int) bool {
		ctx, cancel := context.WithTimeout(all, limit)
		defer cancel()
		r, _ := s.check(ctx, u.clauses, assumptions)
		return r == Unsat
	}
	for rest := u.core; ; {
		// The last literal of the shortest prefix that contradicts the core so
		// far belongs to it, and what follows that literal is not needed.
		n := sort.Search(len(rest), func(n int) bool { return suffices(slices.Concat(core, rest[:n])) })
		if n == 0 {
			return core
		}
		core, rest = append(core, rest[n-1]), rest[:n-1]
	}
}

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
//
// go-z3 has neither scopes nor assumptions. So assumptions are asserted, and a
// query that does not assume all of what was asserted gets a new Z3 solver
// with the same clauses.
type z3Context struct {
	config  *z3.Config
	context *z3.Context
	bool    *z3.Sort
	truth   *z3.AST
	pos     []*z3.AST // by variable - 1
	neg     []*z3.AST
	clauses []*z3.AST

	solver   *z3.Solver
	asserted int   // clauses
	assumed  []int // literals asserted beside them
	failure  error // what Z3's error handler was told
}

func newZ3Context() *z3Context {
	c := &z3Context{config: z3.NewConfig()}
	c.context = z3.NewContext(c.config)
	// Without a handler Z3 would print the error and exit.
	c.context.SetErrorHandler(func(z *z3.Context, code z3.ErrorCode) {
		c.failure = fmt.Errorf("solver: z3: %s", z.Error(code))
	})
	c.bool, c.truth = c.context.BoolSort(), c.context.True()
	return c
}

func (c *z3Context) close() {
	if c.solver != nil {
		c.solver.Close()
	}
	c.context.Close()
	c.config.Close()
}

// load makes terms of clauses that have none yet.
func (c *z3Context) load(ctx context.Context, clauses [][]int) error {
	for i := len(c.clauses); i < len(clauses); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			break
		}
		c.clauses = append(c.clauses, c.clause(clauses[i]))
	}
	return ctx.Err()
}

func (c *z3Context) clause(lits []int) *z3.AST {
	var terms []*z3.AST
	for _, l := range lits {
		terms = append(terms, c.literal(l))
	}
	switch len(terms) {
	case 0:
		return c.context.False()
	case 1:
		return terms[0]
	}
	return terms[0].Or(terms[1:]...)
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

// assume brings the Z3 solver to the first n clauses and the assumptions: the
// one at hand, if it asserts nothing else.
func (c *z3Context) assume(n int, assumptions []int) {
	wanted := make(map[int]bool, len(assumptions))
	for _, l := range assumptions {
		wanted[l] = true
	}
	foreign := func(l int) bool { return !wanted[l] }
	if c.solver == nil || c.asserted > n || slices.ContainsFunc(c.assumed, foreign) {
		c.renew()
	}
	for ; c.asserted < n; c.asserted++ {
		c.solver.Assert(c.clauses[c.asserted])
	}
	for _, l := range c.assumed {
		delete(wanted, l)
	}
	for _, l := range assumptions {
		if wanted[l] {
			c.solver.Assert(c.literal(l))
			c.assumed = append(c.assumed, l)
			delete(wanted, l)
		}
	}
}

func (c *z3Context) renew() {
	if c.solver != nil {
		c.solver.Close()
	}
	c.solver, c.asserted, c.assumed = c.context.NewSolver(), 0, c.assumed[:0]
}

// check runs Z3 until it answers or the context ends. A Z3 context that was
// interrupted, or failed, must be closed: it may go on saying "canceled".
func (c *z3Context) check(ctx context.Context) (Result, error) {
	interrupted := interruptible(ctx, c.context)
	answer := c.solver.Check()
	if interrupted() {
		return Unknown, ctx.Err()
	}
	switch {
	case c.failure != nil:
		return Unknown, c.failure
	case answer == z3.True:
		return Sat, nil
	case answer == z3.False:
		return Unsat, nil
	}
	return Unknown, errors.New("solver: z3 gave up")
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
