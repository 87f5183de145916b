package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
)

// autoEngine chooses engines. Those that are exact and take about linear time are asked
// first, where an execution is long or wide, or no other engine is fast:
//
//	a near-linear procedure    theories that have one
//	search over an automaton   theories that have one, or whose axioms mean one
//	saturation                 finds nearly all violations in a moment
//	satisfiability             where that finds none
//
// The result's Engine says which one established the verdict. Where the complete
// engine does not finish, the verdict is that no violation was found.
//
// Near-linear procedures and satisfiability are exact. A violation that saturation
// finds within the first maxConfirmed events is reported if satisfiability finds it,
// too; where that finds none, or does not finish, the verdict is Inconclusive. For
// longer prefixes saturation's word is enough: its every step follows from the
// patterns.
type autoEngine struct{ *Checker }

const autoName = "auto"

func (autoEngine) name() string { return autoName }

func (a autoEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	res, err := (&autoRun{Checker: a.Checker, ctx: ctx, e: e}).check()
	res.Engine = autoName + ": " + res.Engine
	return res, err
}

const (
	maxConfirmed = 40_000  // events of the longest violating prefix of saturation that satisfiability confirms
	maxExplain   = 2_000   // events of the longest one whose patterns it names
	maxComplete  = 200_000 // operations of the longest execution that it is asked about

	// minMonitor is from how many operations on, pairs that overlap counting like operations, a
	// near-linear procedure is selected before saturation is done.
	minMonitor = 2_000

	// maxWidth is how many others an operation overlaps on average at most if satisfiability names
	// patterns, or saturation is asked for fewer.
	maxWidth = 12

	littleMemory = 256 << 20
)

type autoRun struct {
	*Checker
	ctx   context.Context
	e     *history.Execution // nil if the log was not read as a whole
	ops   int                // that it has
	pairs int                // of operations that overlap, as far as it matters

	upper func() Result // a violation of which a shorter prefix may be one, too; nil if none is known
}

// large reports whether the other engines take long, for how many operations there are
// or how many of them overlap, or since saturation does not take the theory.
func (r *autoRun) large() bool {
	if r.ops+r.pairs >= minMonitor {
		return true
	}
	_, err := r.propagation()
	return err != nil
}

// wide reports whether so many operations overlap that solvers take long.
func (r *autoRun) wide() bool { return r.pairs > maxWidth*r.ops }

func (r *autoRun) check() (Result, error) {
	r.ops = len(r.e.Ops)
	r.pairs = logs.Pairs(r.e, minMonitor+maxWidth*len(r.e.Ops))
	if res, ok := r.nearLinear(); ok {
		return res, nil
	}
	res, err := r.others()
	if open := res.Verdict == Inconclusive || res.Verdict == NoViolationFound; err == nil && open && r.upper != nil {
		return r.upper(), nil
	}
	return res, err
}

// others asks the engines that take longer.
func (r *autoRun) others() (Result, error) {
	if res, ok := r.searched(); ok {
		return res, nil
	}
	found, err := r.saturate(r.ctx, r.e)
	if outside(err) {
		return Result{}, err
	}
	found.Engine = saturateName
	violated, passed := err == nil && found.Verdict == Violation, err == nil && found.Verdict == NoViolationFound
	if violated {
		if res, ok := r.confirm(found); ok {
			return res, nil
		}
	}
	if len(r.e.Ops) > maxComplete {
		if !violated && !passed {
			return Result{Verdict: Inconclusive, Engine: symbolicName, Detail: "the execution is too long for a complete engine"}, nil
		}
		found.Detail = "the execution is too long for a complete engine"
		return found, nil
	}
	res, err := r.satisfiable(r.ctx, r.e, r.options.Whole)
	res.Engine = symbolicName
	unfinished := r.ctx.Err() != nil || res.Detail == logs.ErrTooMany.Error()
	if err == nil && res.Verdict == Inconclusive && unfinished && passed {
		found.Detail = "symbolic did not finish: " + res.Detail
		return found, nil
	}
	return res, err
}

// nearLinear asks the near-linear procedure about a long execution, if there is one
// for the theory. Where it does not know whether a shorter prefix violates, a
// violation is left to the other engines as long as they can decide it; its word
// counts where they do not.
func (r *autoRun) nearLinear() (Result, bool) {
	if !r.large() {
		return Result{}, false
	}
	p, err := r.procedure(r.ctx)
	if err != nil {
		return Result{}, false
	}
	res, reason, err := r.monitor(r.ctx, p, r.e)
	res.Engine = monitorName
	switch {
	case err != nil:
		return Result{}, false
	case reason == nil:
		return res, true
	}
	named := func() Result {
		r.name(&res, reason, func() *history.Execution { return r.e })
		return res
	}
	if r.refers(res, reason) {
		r.upper = named
		return Result{}, false
	}
	return named(), true
}

// refers reports whether other engines have the word about a violation that the
// procedure found.
func (r *autoRun) refers(res Result, reason *monitor.Reason) bool {
	return !r.options.Whole && res.Detail != reason.Sentence && r.ops <= maxComplete && !r.wide()
}

// name names the patterns of a violation that the procedure found. The execution is
// nil if it cannot be read.
func (r *autoRun) name(res *Result, reason *monitor.Reason, execution func() *history.Execution) {
	if _, err := r.short(); err == nil && res.Prefix <= maxExplain && !r.wide() && !r.options.Whole {
		if e := execution(); e != nil && !muchPending(e) {
			res.Patterns = r.core(r.ctx, e.Prefix(res.Prefix))
		}
	}
	if res.Patterns == nil {
		res.Patterns = r.patternsOf(r.ctx, reason)
	}
	if len(res.Patterns) > 1 && res.Prefix > maxExplain && !r.wide() { // fewer may do, as propagation knows
		if found, err := r.saturate(r.ctx, reason.Execution); err == nil && found.Prefix == reason.Execution.Events {
			res.Patterns = found.Patterns
		}
	}
}

// searched asks the automaton of the theory, or the one that its axioms mean, about a
// long execution, if there is one: that is exact, and mostly fast. Where it takes much
// memory the other engines are asked first.
func (r *autoRun) searched() (Result, bool) {
	m := r.automaton()
	if m == nil {
		return Result{}, false
	}
	resolved, err := m.resolve(r.e)
	if err != nil {
		return Result{}, false
	}
	res, err := m.within(r.ctx, resolved, littleMemory)
	if !decided(res, err) {
		return Result{}, false
	}
	res.Engine = wglName
	if res.Verdict == Violation && res.Prefix <= maxExplain && !r.wide() && !r.options.Whole {
		res.Patterns = r.core(r.ctx, r.e.Prefix(res.Prefix))
	}
	return res, true
}

// automaton is what can be searched; nil if there is nothing, or the execution is short.
func (r *autoRun) automaton() *modelEngine {
	if !r.large() {
		return nil
	}
	for _, d := range r.described {
		if m, ok := d.(*modelEngine); ok {
			return m
		}
	}
	if r.axioms == nil {
		return nil
	}
	return r.axioms()
}

// confirm has satisfiability look at a violation that saturation found: it must be
// one, and may begin earlier than it was noticed. The answer is false if
// satisfiability has to decide the execution, which knows of completions that the
// theory says nothing about.
func (r *autoRun) confirm(found Result) (Result, bool) {
	if found.Prefix > maxConfirmed {
		return found, true
	}
	decide, done, err := r.decider(r.ctx, r.e.Prefix(found.Prefix))
	if err != nil {
		return r.unconfirmed(found, err), true
	}
	defer done()
	a, err := decide(found.Prefix)
	switch {
	case err != nil:
		return r.unconfirmed(found, err), true
	case a.Sat:
		return r.unconfirmed(found, errors.New("symbolic finds a linearization of them; please report this log")), true
	case a.Excluded != "":
		return found, false
	case r.options.Whole:
		return found, true
	}
	ends := logs.Ends(r.e)
	if i, _ := slices.BinarySearch(ends, found.Prefix); i > 0 {
		a, err := decide(ends[i-1])
		switch {
		case err != nil:
			return found, true
		case !a.Sat && a.Excluded != "":
			return found, false
		case !a.Sat:
			early, err := r.satisfiable(r.ctx, r.e.Prefix(ends[i-1]), false)
			early.Engine = symbolicName
			return early, err == nil && early.Verdict == Violation
		}
	}
	found.Detail = ""
	if found.Prefix <= maxExplain {
		if names := r.core(r.ctx, r.e.Prefix(found.Prefix)); names != nil {
			found.Patterns = names
		}
	}
	return found, true
}

// unconfirmed is the result where satisfiability did not say that there is a
// violation.
func (r *autoRun) unconfirmed(found Result, why error) Result {
	if r.ctx.Err() != nil {
		why = errors.New(logs.Stopped(r.ctx))
	}
	return Result{Verdict: Inconclusive, Engine: symbolicName, Detail: fmt.Sprintf(
		"the first %d events may be a violation, which saturate finds and symbolic does not confirm: %s", found.Prefix, why)}
}
