package ground

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// problem is an instance in a solver. What the theory says is asserted by who
// makes it; that the order is one, solve takes care of.
type problem struct {
	in       *Instance
	solver   solver.Solver
	cnf      *solver.CNF
	grounder *Grounder
}

// newProblem hands the instance to a new solver. When the context ends clauses
// are dropped; solve then says so.
func newProblem(ctx context.Context, in *Instance) *problem {
	s := in.theory.newSolver()
	clauses := 0
	add := func(clause ...int) {
		if clauses&1023 != 0 || ctx.Err() == nil {
			clauses++
			s.Add(clause...)
		}
	}
	p := &problem{in: in, solver: s, cnf: solver.NewCNF(in.circuit, s.NewVar, add), grounder: NewGrounder(in, in.circuit)}
	in.clauses(p.cnf)
	return p
}

// forbid asserts that nothing forbidden is there; false if it is in any case.
func (p *problem) forbid(ctx context.Context) (possible bool, err error) {
	for _, x := range p.in.theory.forbidden {
		l, err := p.grounder.Ground(ctx, x.plan)
		if err != nil || l == solver.True {
			return false, err
		}
		p.cnf.Assert(-l)
	}
	return true, nil
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
func (p *problem) broken(ctx context.Context) (clauses [][]solver.Lit, err error) {
	holds := func(l solver.Lit) bool { return p.cnf.Holds(l, p.solver.True) }
	for op := range p.in.ops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(clauses) > logs.MaxBroken {
			break
		}
		if p.in.order.width > 1 {
			p.in.order.antichains(op, holds, func(ls []solver.Lit) { clauses = append(clauses, ls) })
			continue
		}
		p.in.order.axioms(op, func(ls ...solver.Lit) {
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
