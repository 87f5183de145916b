package check

import (
	"context"
	"fmt"
	"sort"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// Symbolic decides by satisfiability ("Monitoring refinement" §4): the
// executions stronger than the given one, and the theory guarded by the
// presence of pending operations, are handed to a SAT solver. It is complete
// relative to the theory: an execution it does not call a violation has a
// linearization that shows no pattern.
//
// Clauses come from package clauses if the theory is in its fragment (see
// package symbolic); else formulas are grounded over the operations.
//
// It also takes theories of a width beyond 1, whose operations take effect
// together: then the literals are those of an interval order.
//
// The violation of a prefix is a violation of the whole, so the shortest one
// is found by bisection over the returns.
type Symbolic struct {
	Solver string // the solver, by a name that solver.ByName knows; empty: the default
}

// Name is "symbolic".
func (Symbolic) Name() string { return "symbolic" }

// Check decides one execution. It takes time exponential in the overlap at
// worst; where intervals decide most pairs it is about linear in the operations.
func (s Symbolic) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, s, t, e)
}

func (s Symbolic) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	newSolver, err := solver.ByName(s.Solver)
	if err != nil {
		return Result{}, fmt.Errorf("check: %w", err)
	}
	return symbolicRun{ctx, c.with(newSolver), e}.check()
}

// symbolicRun decides prefixes of one execution.
type symbolicRun struct {
	ctx    context.Context
	theory *compiled
	e      *history.Execution
}

func (r symbolicRun) check() (Result, error) {
	decide, done, err := r.decider()
	p := prefixes{ctx: r.ctx, e: r.e, decide: decide, explain: r.explain, whole: r.theory.whole}
	if err != nil {
		return p.failed(err)
	}
	defer done()
	return p.check()
}

// decider is decide for several prefixes, of which a theory in the fragment has one
// solver.
func (r symbolicRun) decider() (decide func(n int) (answer, error), done func(), err error) {
	rules, err := r.theory.clausesFor(r.e)
	if err != nil {
		return r.decide, func() {}, nil
	}
	l, err := r.log(rules, r.e, false)
	if err != nil {
		return nil, nil, err
	}
	return func(n int) (answer, error) { return r.ask(rules, l, n) }, func() { l.Close() }, nil
}

// decide decides the prefix of n events.
func (r symbolicRun) decide(n int) (answer, error) {
	e := r.e.Prefix(n)
	rules, err := r.theory.clausesFor(e)
	if err != nil {
		return decidePrefix(r.ctx, r.theory, e, r.satisfiable)
	}
	l, err := r.log(rules, e, false)
	if err != nil {
		return answer{}, err
	}
	defer l.Close()
	return r.ask(rules, l, n)
}

// log makes an execution of the language a log.
func (r symbolicRun) log(rules *symbolic.Rules, e *history.Execution, named bool) (*symbolic.Log, error) {
	if err := rules.Validate(e); err != nil {
		return nil, saturateError(err, e)
	}
	return symbolic.New(r.ctx, rules, e, symbolic.Options{Solver: r.theory.newSolver, Named: named})
}

func (r symbolicRun) ask(rules *symbolic.Rules, l *symbolic.Log, n int) (answer, error) {
	a, err := l.Decide(r.ctx, n)
	switch {
	case err != nil || a == symbolic.Violation:
		return answer{}, err
	case a == symbolic.Outside:
		return answer{excluded: "a pending operation may complete so that the rule " + rules.Apart() + " is broken; the theory says nothing about that"}, nil
	}
	return answer{sat: true}, nil
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
	if rules, err := r.theory.clauses(); err == nil && (!rules.FromAxioms || n > maxExplain) {
		return r.core(rules, r.e.Prefix(n))
	}
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

// core is explain by clauses.
func (r symbolicRun) core(rules *symbolic.Rules, e *history.Execution) []string {
	l, err := r.log(rules, e, true)
	if err != nil {
		return nil
	}
	defer l.Close()
	names, err := l.Core(r.ctx)
	if err != nil {
		return nil
	}
	return names
}
