package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// Auto chooses engines: a near-linear procedure decides long executions of
// theories that have one. Others are decided by saturation first, which finds nearly
// all violations in a moment, and where that finds none by satisfiability; in parts
// where the theory allows that and cannot be turned into clauses (see Partitioned).
// The result's Engine says which one established the verdict. Where the complete
// engine does not come to an end, the verdict is that no violation was found.
//
// Near-linear procedures and satisfiability are exact. A violation that saturation
// finds within the first maxTighten events is reported if satisfiability finds it,
// too; where that finds none, or does not finish, the verdict is Inconclusive. For
// longer prefixes saturation's word is enough: its every step follows from the
// patterns.
type Auto struct {
	Solver string // for Symbolic
}

// Name is "auto".
func (Auto) Name() string { return "auto" }

// Check decides one execution.
func (a Auto) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, a, t, e)
}

func (a Auto) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	newSolver, err := solver.ByName(a.Solver)
	if err != nil {
		return Result{}, fmt.Errorf("check: %w", err)
	}
	c = c.with(newSolver)
	r := &autoRun{ctx: ctx, c: c, e: e}
	r.complete = Symbolic(a)
	if _, err := c.clauses(); err != nil && c.product() {
		r.complete = Partitioned{Symbolic(a)}
	}
	res, err := r.check()
	if err != nil {
		return Result{}, err
	}
	res.Engine = a.Name() + ": " + res.Engine
	return res, nil
}

// maxTighten bounds the events of a violating prefix that saturation found and a
// complete engine is asked about, and maxExplain those of one that it is asked to
// name the patterns of. maxComplete bounds the operations of an execution that one is
// asked about at all. Below minMonitor operations a complete engine is done before a
// monitor is selected.
const (
	maxTighten  = 40_000
	maxExplain  = 2_000
	maxComplete = 200_000
	minMonitor  = 2_000
)

type autoRun struct {
	ctx      context.Context
	c        *compiled
	e        *history.Execution
	complete Engine
}

func (r *autoRun) check() (Result, error) {
	if res, ok := r.monitor(); ok {
		return res, nil
	}
	found, established, err := r.saturate()
	if err != nil {
		return Result{}, err
	}
	if established && found.Verdict == Violation {
		if res, ok := r.confirm(found); ok {
			return res, nil
		}
	}
	if len(r.e.Ops) > maxComplete {
		if !established {
			return Result{Verdict: Inconclusive, Engine: r.complete.Name(), Detail: "the execution is too long for a complete engine"}, nil
		}
		found.Detail = "the execution is too long for a complete engine"
		return found, nil
	}
	res, err := runEngine(r.ctx, r.complete, r.c, r.e)
	res.Engine = r.complete.Name()
	unfinished := r.ctx.Err() != nil || res.Detail == errOverlap.Error()
	if err == nil && res.Verdict == Inconclusive && unfinished && established && found.Verdict == NoViolationFound {
		found.Detail = r.complete.Name() + " came to no end: " + res.Detail
		return found, nil
	}
	return res, err
}

// monitor asks the near-linear procedures about a long execution, if there is
// one for the theory. A violation is left to the others, which say more of it,
// as long as they can decide it.
func (r *autoRun) monitor() (Result, bool) {
	if len(r.e.Ops) < minMonitor {
		return Result{}, false
	}
	res, err := runEngine(r.ctx, Monitor{}, r.c, r.e)
	res.Engine = Monitor{}.Name()
	return res, err == nil && (res.Verdict == Linearizable || res.Verdict == Violation && len(r.e.Ops) > maxComplete)
}

// saturate runs the engine that is not complete; false if it has nothing to
// say, such as of a theory that it cannot use. The error is an *OutsideLanguage.
func (r *autoRun) saturate() (Result, bool, error) {
	s := Saturate{Removal: true}
	res, err := runEngine(r.ctx, s, r.c, r.e)
	res.Engine = s.Name()
	if outside := (*OutsideLanguage)(nil); errors.As(err, &outside) {
		return Result{}, false, err
	}
	return res, err == nil && (res.Verdict == Violation || res.Verdict == NoViolationFound), nil
}

// confirm has the complete engine look at a violation that saturation found: it
// must be one, and may begin earlier than it was noticed. The answer is false if
// the complete engine has to decide the execution, which knows of completions
// that the theory says nothing about.
func (r *autoRun) confirm(found Result) (Result, bool) {
	if found.Prefix > maxTighten {
		return found, true
	}
	run := symbolicRun{r.ctx, r.c, r.e.Prefix(found.Prefix)}
	decide, done, err := run.decider()
	if err != nil {
		return r.unconfirmed(found, err), true
	}
	defer done()
	a, err := decide(found.Prefix)
	switch {
	case err != nil:
		return r.unconfirmed(found, err), true
	case a.sat:
		return r.unconfirmed(found, errors.New("symbolic finds a linearization of them; please report this log")), true
	case a.excluded != "":
		return found, false
	case r.c.whole:
		return found, true
	}
	ends := (&prefixes{ctx: r.ctx, e: r.e}).returns()
	if i, _ := slices.BinarySearch(ends, found.Prefix); i > 0 {
		a, err := decide(ends[i-1])
		switch {
		case err != nil:
			return found, true
		case !a.sat && a.excluded != "":
			return found, false
		case !a.sat:
			early, err := runEngine(r.ctx, r.complete, r.c, r.e.Prefix(ends[i-1]))
			early.Engine = r.complete.Name()
			return early, err == nil && early.Verdict == Violation
		}
	}
	found.Detail = ""
	if found.Prefix <= maxExplain {
		if names := run.explain(found.Prefix); names != nil {
			found.Patterns = names
		}
	}
	return found, true
}

// unconfirmed is the result where the complete engine did not say that there is
// a violation.
func (r *autoRun) unconfirmed(found Result, why error) Result {
	if r.ctx.Err() != nil {
		why = errors.New(stopped(r.ctx))
	}
	return Result{Verdict: Inconclusive, Engine: r.complete.Name(), Detail: fmt.Sprintf(
		"the first %d events may be a violation, which saturate finds and symbolic does not confirm: %s", found.Prefix, why)}
}
