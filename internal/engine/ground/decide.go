package ground

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// Decide decides an execution.
func (t *Theory) Decide(ctx context.Context, e *history.Execution) (logs.Answer, error) {
	return t.DecideBy(ctx, e, func(in *Instance) (bool, error) {
		p := newProblem(ctx, in)
		if possible, err := p.forbid(ctx); !possible || err != nil {
			return false, err
		}
		res, err := p.solve(ctx)
		return res == solver.Sat, err
	})
}

// DecideBy decides an execution by instances of it. With many completions of
// pending operations a linearization is first looked for among the few that
// completed operations need, then among all that are possible.
func (t *Theory) DecideBy(ctx context.Context, e *history.Execution, satisfiable func(*Instance) (bool, error)) (logs.Answer, error) {
	in, err := newInstance(ctx, t, e)
	if err != nil {
		return logs.Answer{}, err
	}
	if in.hasMany() {
		few, err := in.with(ctx, in.needed())
		if err != nil {
			return logs.Answer{}, err
		}
		if sat, err := satisfiable(few); sat || err != nil {
			return logs.Answer{Sat: sat}, err
		}
		if in, err = in.prune(ctx); err != nil {
			return logs.Answer{}, err
		}
	}
	sat, err := satisfiable(in)
	return logs.Answer{Sat: sat, Excluded: in.excluded}, err
}

// Core names patterns and axioms that together leave an execution, a violation, no
// way out, none of which can be left out. No names mean that it is no violation.
func (t *Theory) Core(ctx context.Context, e *history.Execution) ([]string, error) {
	in, err := newInstance(ctx, t, e)
	if err != nil {
		return nil, err
	}
	if !in.hasMany() {
		return in.core(ctx, t.forbidden)
	}
	few, err := in.prune(ctx)
	if err != nil {
		return nil, err
	}
	names, err := few.core(ctx, t.forbidden)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	// What pruning rests on may be missing. Without pruning there are more
	// linearizations, so that none of the names can be left out then, either.
	named := slices.DeleteFunc(slices.Clone(t.forbidden), func(x forbidden) bool { return !slices.Contains(names, x.name) })
	if names, err = in.core(ctx, named); err != nil || len(names) > 0 {
		return names, err
	}
	return in.core(ctx, t.forbidden)
}

// core is Core among what is given, without pruning.
func (in *Instance) core(ctx context.Context, all []forbidden) ([]string, error) {
	p := newProblem(ctx, in)
	name := map[int]string{}
	var on []int
	for _, x := range all {
		l, err := p.grounder.Ground(ctx, x.plan)
		if err != nil {
			return nil, err
		}
		if l == solver.False {
			continue
		}
		v := in.circuit.Var()
		p.cnf.AssertIf(v, -l)
		lit := p.cnf.Lit(v)
		name[lit], on = x.name, append(on, lit)
	}
	core, err := solver.Reasons(on, func(lits []int) (bool, error) {
		res, err := p.solve(ctx, lits...)
		return res != solver.Unsat, err
	})
	var names []string
	for _, lit := range core {
		names = append(names, name[lit])
	}
	return names, err
}

// Linearize is the order of a linearization of an execution, if the theory admits
// one. Pending operations that are read-only are left out: nothing needs them, and
// what they would answer may be any value.
func (t *Theory) Linearize(ctx context.Context, e *history.Execution) (order []evidence.Taken, ok bool, err error) {
	a, err := t.DecideBy(ctx, e, func(in *Instance) (sat bool, err error) {
		order, sat, err = in.linearize(ctx)
		return sat, err
	})
	return order, a.Sat, err
}

func (in *Instance) linearize(ctx context.Context) (order []evidence.Taken, sat bool, err error) {
	p := newProblem(ctx, in)
	if possible, err := p.forbid(ctx); !possible || err != nil {
		return nil, false, err
	}
	if res, err := p.solve(ctx); res != solver.Sat {
		return nil, false, err
	}
	holds := func(l solver.Lit) bool {
		return l == solver.True || l != solver.False && p.cnf.Holds(l, p.solver.True)
	}
	var taken []int
	for i, e := range in.elems {
		if e.used == solver.True || !in.readOnly[i] && holds(e.used) {
			taken = append(taken, i)
		}
	}
	slices.SortFunc(taken, func(i, j int) int {
		switch {
		case i == j:
			return 0
		case holds(in.Before(i, j)):
			return -1
		}
		return 1
	})
	for _, i := range taken {
		t := evidence.Taken{Op: in.operation(i).ID}
		if in.elems[i].used != solver.True {
			t.Outcome, t.Rets = in.elems[i].label.Outcome, in.elems[i].label.Rets
		}
		order = append(order, t)
	}
	return order, true, nil
}
