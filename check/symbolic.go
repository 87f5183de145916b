package check

import (
	"context"
	"sort"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// Symbolic decides by satisfiability ("Monitoring refinement" §4): the
// executions stronger than the given one, and the theory guarded by the
// presence of pending operations, are grounded over the operations and handed
// to a SAT solver. It is complete relative to the theory: an execution it does
// not call a violation has a linearization that shows no pattern.
//
// The violation of a prefix is a violation of the whole, so the shortest one
// is found by bisection over the returns.
type Symbolic struct{}

// Name is "symbolic".
func (Symbolic) Name() string { return "symbolic" }

// Check decides one execution. It takes time exponential in the overlap at
// worst; where intervals decide most pairs it is about linear in the operations.
func (s Symbolic) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, s, t, e)
}

func (s Symbolic) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	return symbolicRun{ctx, c, e}.check()
}

type symbolicRun struct {
	ctx    context.Context
	theory *compiled
	e      *history.Execution
}

func (r symbolicRun) check() (Result, error) {
	p := prefixes{r.ctx, r.e, r.decide, r.explain}
	return p.check()
}

func (r symbolicRun) decide(n int) (answer, error) {
	return decidePrefix(r.ctx, r.theory, r.e.Prefix(n), r.satisfiable)
}

func (r symbolicRun) satisfiable(in *instance) (bool, error) {
	p := newProblem(r.ctx, in)
	for _, x := range r.theory.excludes {
		l, err := p.grounder.Ground(r.ctx, x.plan)
		if err != nil {
			return false, err
		}
		p.cnf.Assert(-l)
		if l == formula.True {
			return false, nil
		}
	}
	res, err := p.solve(r.ctx)
	return res == solver.Sat, err
}

// explain names exclusions of the unsatisfiable prefix of n events that together
// leave no way out, and none of which can be left out; nothing if time runs out.
func (r symbolicRun) explain(n int) []string {
	in, err := newInstance(r.ctx, r.theory, r.e.Prefix(n))
	if err == nil && in.hasMany() {
		in, err = in.prune(r.ctx)
	}
	if err != nil {
		return nil
	}
	p := newProblem(r.ctx, in)
	name := map[int]string{}
	var core []int
	for _, x := range r.theory.excludes {
		l, err := p.grounder.Ground(r.ctx, x.plan)
		if err != nil {
			return nil
		}
		if l == formula.False {
			continue
		}
		on := in.circuit.Var()
		p.cnf.AssertIf(on, -l)
		lit := p.cnf.Lit(on)
		name[lit], core = x.name, append(core, lit)
	}
	if res, err := p.solve(r.ctx, core...); err != nil || res != solver.Unsat {
		return nil
	}
	core = p.solver.Core()
	for i := 0; i < len(core); {
		without := append(append([]int(nil), core[:i]...), core[i+1:]...)
		switch res, err := p.solve(r.ctx, without...); {
		case err != nil:
			return nil
		case res == solver.Unsat:
			core = without
		default:
			i++
		}
	}
	var names []string
	sort.Ints(core)
	for _, lit := range core {
		names = append(names, name[lit])
	}
	return names
}
