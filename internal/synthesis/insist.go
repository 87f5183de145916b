package synthesis

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/internal/model"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// insist finds a scheme for those who want a wrong one rather than none: each
// operation has one target at most, and constraints about removals hold as far
// as they do not contradict each other. It is nil if there is none.
func (o Options) insist(ctx context.Context, m *model.Model, rules []theory.Rule) (*Result, error) {
	o.Progress("looking for a matching scheme that is nearly faithful and normal")
	s, err := collect(ctx, m)
	if err != nil {
		return nil, err
	}
	a := o.begin(m, s, rules)
	defer solver.Close(a.query.solver)
	for range mostRefinements {
		if ok, err := a.query.relax(ctx); !ok {
			return nil, err
		}
		if _, err := a.refine(ctx); err != nil || a.candidate != nil {
			return a.candidate, err
		}
	}
	return nil, nil
}

// relax drops constraints that a scheme may violate, and still is one, until the
// rest is satisfiable, and reports whether it is.
func (q *query) relax(ctx context.Context) (bool, error) {
	for {
		ok, err := q.solve(ctx)
		if ok || err != nil {
			return ok, err
		}
		core := q.solver.Core()
		drop := -1
		for i, s := range q.selectors {
			if rule := q.constraints[i].rule; rule != ruleUnique && rule != ruleClosed && slices.Contains(core, s) {
				drop = i
			}
		}
		if drop < 0 {
			return false, nil
		}
		q.constraints = slices.Delete(q.constraints, drop, drop+1)
		q.selectors = slices.Delete(q.selectors, drop, drop+1)
	}
}
