package check

import (
	"context"
	"errors"
	"fmt"
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
	c, err := compile(t)
	if err != nil {
		return Result{}, err
	}
	if e, err = c.resolve(e); err != nil {
		return Result{}, err
	}
	r, err := symbolicRun{ctx, c, e}.check()
	r.Engine, r.Events = s.Name(), e.Events
	return r, err
}

type symbolicRun struct {
	ctx    context.Context
	theory *compiled
	e      *history.Execution
}

func (r symbolicRun) check() (Result, error) {
	a, err := r.decide(r.e.Events)
	switch {
	case err != nil && r.ctx.Err() != nil:
		return Result{Verdict: Inconclusive, Detail: r.stopped()}, nil
	case errors.Is(err, errOverlap):
		return Result{Verdict: Inconclusive, Detail: err.Error()}, nil
	case err != nil:
		return Result{}, err
	case a.sat:
		return Result{Verdict: Linearizable}, nil
	}
	return r.shortest(a)
}

func (r symbolicRun) stopped() string {
	if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
		return "the time limit was reached"
	}
	return "the check was interrupted"
}

// answer is what the solver says of a prefix. Not sat means violation, unless
// a completion was excluded.
type answer struct {
	sat      bool
	excluded string
}

// decide grounds and solves the prefix of n events. With many completions of
// pending operations a linearization is first looked for among the few that
// completed operations need, then among all that are possible.
func (r symbolicRun) decide(n int) (answer, error) {
	in, err := newInstance(r.ctx, r.theory, r.e.Prefix(n))
	if err != nil {
		return answer{}, err
	}
	if in.hasMany() {
		few, err := in.with(r.ctx, in.needed())
		if err != nil {
			return answer{}, err
		}
		if sat, err := r.satisfiable(few); sat || err != nil {
			return answer{sat: sat}, err
		}
		if in, err = in.prune(r.ctx); err != nil {
			return answer{}, err
		}
	}
	sat, err := r.satisfiable(in)
	return answer{sat, in.excluded}, err
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

// shortest finds the shortest violating prefix, given that the whole execution
// is not satisfiable.
//
// Satisfiability of prefixes is monotone, but an unsatisfiable prefix is only a
// violation if no completion was excluded there. If the shortest unsatisfiable
// prefix is not, the next one that is counts.
func (r symbolicRun) shortest(whole answer) (Result, error) {
	ends := r.returns()
	found := map[int]answer{len(ends) - 1: whole}
	var stop error
	i := sort.Search(len(ends)-1, func(i int) bool {
		if stop != nil {
			return true
		}
		a, err := r.decide(ends[i])
		if err != nil {
			stop = err
			return true
		}
		found[i] = a
		return !a.sat
	})
	if stop != nil {
		return r.notShortest(whole, found, ends)
	}
	for k := i; k < len(ends); k++ {
		a, ok := found[k]
		if !ok {
			var err error
			if a, err = r.decide(ends[k]); err != nil {
				return r.notShortest(whole, found, ends)
			}
		}
		if !a.sat && a.excluded == "" {
			res := Result{Verdict: Violation, Prefix: ends[k], Patterns: r.explain(ends[k])}
			if k > i {
				res.Detail = fmt.Sprintf("the violation may begin earlier, after %d events: %s", ends[i], found[i].excluded)
			}
			return res, nil
		}
	}
	return Result{Verdict: Inconclusive, Detail: whole.excluded}, nil
}

// notShortest is the result when the search ended early: the shortest
// violating prefix known so far.
func (r symbolicRun) notShortest(whole answer, found map[int]answer, ends []int) (Result, error) {
	best := len(ends)
	for k, a := range found {
		if !a.sat && a.excluded == "" {
			best = min(best, k)
		}
	}
	if best == len(ends) {
		detail := whole.excluded
		if r.ctx.Err() != nil {
			detail = r.stopped()
		}
		return Result{Verdict: Inconclusive, Detail: detail}, nil
	}
	detail := "a shorter prefix may violate, too"
	if r.ctx.Err() != nil {
		detail = r.stopped() + " before the shortest violating prefix was found"
	}
	return Result{Verdict: Violation, Prefix: ends[best], Detail: detail}, nil
}

// returns lists the prefixes that end with a return, by number of events; and
// the whole.
func (r symbolicRun) returns() []int {
	var ends []int
	for i := range r.e.Ops {
		if o := &r.e.Ops[i]; o.Completed() && o.Return+1 < r.e.Events {
			ends = append(ends, o.Return+1)
		}
	}
	sort.Ints(ends)
	return append(ends, r.e.Events)
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
