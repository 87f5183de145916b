package check

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// problem is an instance in a solver. What the theory says is asserted by who
// makes it; that the order is one, solve takes care of.
type problem struct {
	in       *instance
	solver   solver.Solver
	cnf      *formula.CNF
	grounder *formula.Grounder
}

// newProblem hands the instance to a new solver. When the context ends clauses
// are dropped; solve then says so.
func newProblem(ctx context.Context, in *instance) *problem {
	s := in.theory.newSolver()
	clauses := 0
	add := func(clause ...int) {
		if clauses&1023 != 0 || ctx.Err() == nil {
			clauses++
			s.Add(clause...)
		}
	}
	p := &problem{in: in, solver: s, cnf: formula.NewCNF(in.circuit, s.NewVar, add), grounder: formula.NewGrounder(in, in.circuit)}
	in.clauses(p.cnf)
	return p
}

// solve decides under assumptions. The order's axioms are not asserted before a
// model breaks them: few ever matter, and where many operations overlap at a
// time there are very many. Each round asserts what the last model broke, so
// that in the end a model breaks nothing or there is none.
func (p *problem) solve(ctx context.Context, assumptions ...int) (solver.Result, error) {
	for {
		res, err := p.solver.Solve(ctx, assumptions...)
		if res != solver.Sat {
			return res, err
		}
		broken, err := p.broken(ctx)
		if err != nil {
			return solver.Unknown, err
		}
		if len(broken) == 0 {
			return solver.Sat, nil
		}
		for _, ls := range broken {
			p.cnf.Assert(ls...)
		}
	}
}

// broken lists axioms of the order that fail in the solver's model.
func (p *problem) broken(ctx context.Context) (clauses [][]formula.Lit, err error) {
	holds := func(l formula.Lit) bool { return p.cnf.Holds(l, p.solver.True) }
	for op := range p.in.ops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(clauses) > maxBroken {
			break
		}
		if p.in.order.width > 1 {
			p.in.order.antichains(op, holds, func(ls []formula.Lit) { clauses = append(clauses, ls) })
			continue
		}
		p.in.order.axioms(op, func(ls ...formula.Lit) {
			if !slices.ContainsFunc(ls, holds) {
				clauses = append(clauses, slices.Clone(ls))
			}
		})
	}
	if p.in.order.width > 1 && len(clauses) == 0 {
		return p.in.order.crossings(ctx, holds)
	}
	return clauses, nil
}

// maxBroken is about how many axioms one model adds at most.
const maxBroken = 1 << 15
