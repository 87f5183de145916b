package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
)

// symbolicEngine decides by satisfiability ("Monitoring refinement" §4): the
// executions stronger than the given one, and the theory guarded by the
// presence of pending operations, are handed to a SAT solver. It is complete
// relative to the theory: an execution it does not call a violation has a
// linearization that shows no pattern.
//
// Clauses come from package clauses if the theory is in its fragment (see
// package symbolic); else formulas are grounded over the operations (package
// ground). That takes theories of a width beyond 1, too, whose operations take
// effect together.
//
// It takes time exponential in the overlap at worst; where intervals decide most
// pairs it is about linear in the operations.
type symbolicEngine struct{ *Checker }

const symbolicName = "symbolic"

func (symbolicEngine) name() string { return symbolicName }

func (s symbolicEngine) check(ctx context.Context, e *history.Execution) (Result, error) {
	return s.satisfiable(ctx, e, s.options.Whole)
}

// satisfiable decides an execution, and unless whole its prefixes.
func (c *Checker) satisfiable(ctx context.Context, e *history.Execution, whole bool) (Result, error) {
	decide, done, err := c.decider(ctx, e)
	if err != nil {
		r, err := logs.Failed(ctx, err)
		return ofPrefix(r), err
	}
	defer done()
	search := logs.Search
	if whole {
		search = logs.Whole
	}
	r, err := search(ctx, e, decide)
	res := ofPrefix(r)
	if err == nil && r.Finished {
		res.Patterns = c.core(ctx, e.Prefix(r.Violation))
	}
	return res, err
}

// ofPrefix is the result of a search for the shortest violating prefix.
func ofPrefix(r logs.Result) Result {
	switch {
	case r.Linearizable:
		return Result{Verdict: Linearizable}
	case r.Violation > 0:
		return Result{Verdict: Violation, Prefix: r.Violation, Detail: r.Detail}
	}
	return Result{Verdict: Inconclusive, Detail: r.Detail}
}

// manyOps is how many operations an execution has for which clauses that
// follow from others are worth the time that it takes to find them.
const manyOps = 1_000

// clauses are those of a theory in the fragment, for an execution.
func (c *Checker) clauses(e *history.Execution) (*symbolic.Rules, error) {
	if len(e.Ops) < manyOps {
		return c.short()
	}
	return c.long()
}

// grounds reports whether only grounding all formulas decides an execution by the theory alone.
func (c *Checker) grounds(e *history.Execution) bool {
	if c.theory == nil {
		return false
	}
	_, err := c.clauses(e)
	return err != nil
}

// decider decides prefixes of an execution, by their number of events. A theory in
// the fragment has one solver for all of them.
func (c *Checker) decider(ctx context.Context, e *history.Execution) (decide func(n int) (logs.Answer, error), done func(), err error) {
	rules, err := c.clauses(e)
	if err != nil {
		return func(n int) (logs.Answer, error) { return c.ground.Decide(ctx, e.Prefix(n)) }, func() {}, nil
	}
	l, err := c.log(ctx, rules, e, false)
	if err != nil {
		return nil, nil, err
	}
	return func(n int) (logs.Answer, error) { return decideLog(ctx, rules, l, n) }, func() { l.Close() }, nil
}

// decide decides an execution, not its prefixes.
func (c *Checker) decide(ctx context.Context, e *history.Execution) (logs.Answer, error) {
	decide, done, err := c.decider(ctx, e)
	if err != nil {
		return logs.Answer{}, err
	}
	defer done()
	return decide(e.Events)
}

// log makes an execution of the language a log.
func (c *Checker) log(ctx context.Context, rules *symbolic.Rules, e *history.Execution, named bool) (*symbolic.Log, error) {
	if err := rules.Validate(e); err != nil {
		return nil, err
	}
	return symbolic.New(ctx, rules, e, symbolic.Options{Solver: c.options.Solver, Named: named})
}

func decideLog(ctx context.Context, rules *symbolic.Rules, l *symbolic.Log, n int) (logs.Answer, error) {
	a, err := l.Decide(ctx, n)
	switch {
	case err != nil || a == symbolic.Violation:
		return logs.Answer{}, err
	case a == symbolic.Outside:
		return logs.Answer{Excluded: "a pending operation may complete so that the rule " + rules.Apart() + " is broken; the theory says nothing about that"}, nil
	}
	return logs.Answer{Sat: true}, nil
}

// core names patterns and axioms that together leave a violation no way out, and
// none of which can be left out; nothing if time runs out. Axioms are grounded
// where that is cheap: clauses name those that their instances come from, which may
// be more.
func (c *Checker) core(ctx context.Context, e *history.Execution) []string {
	rules, err := c.short()
	if err != nil || rules.FromAxioms && e.Events <= maxExplain {
		names, _ := c.ground.Core(ctx, e)
		return names
	}
	l, err := c.log(ctx, rules, e, true)
	if err != nil {
		return nil
	}
	defer l.Close()
	names, err := l.Core(ctx)
	if err != nil {
		return nil
	}
	return names
}

// byTheory is the checker as the engine that explanations rest on.
type byTheory struct{ *Checker }

// Decide decides an execution: by the theory's near-linear procedure where so much is
// pending that solvers take long.
func (b byTheory) Decide(ctx context.Context, e *history.Execution) (logs.Answer, error) {
	if p := b.crowded(ctx, e); p != nil {
		if yes, known := p.Linearizable(ctx, e); known {
			return logs.Answer{Sat: yes}, nil
		}
	}
	return b.decide(ctx, e)
}

func (b byTheory) Shortest(ctx context.Context, e *history.Execution) (int, error) {
	if r, ok := b.nearLinear(ctx, e); ok && r.Shortest {
		return r.Prefix, nil
	}
	r, err := b.satisfiable(ctx, e, false)
	return r.Prefix, err
}

func (b byTheory) Core(ctx context.Context, e *history.Execution) []string {
	if r, ok := b.nearLinear(ctx, e); ok && !r.Linearizable {
		return r.Reason.Patterns
	}
	return b.core(ctx, e)
}

// nearLinear is what the near-linear procedure says, if there is one and much is pending.
func (b byTheory) nearLinear(ctx context.Context, e *history.Execution) (monitor.Result, bool) {
	p := b.crowded(ctx, e)
	if p == nil {
		return monitor.Result{}, false
	}
	r, err := p.Check(ctx, e)
	return r, err == nil
}

// crowded is the near-linear procedure, if there is one and much is pending.
func (b byTheory) crowded(ctx context.Context, e *history.Execution) *monitor.Procedure {
	if !muchPending(e) || b.options.Model != "" {
		return nil
	}
	p, err := b.procedure(ctx)
	if err != nil {
		return nil
	}
	return p
}

// fewPending is how many operations of an execution are pending at most that solvers are
// asked about with hope: to show that there are too few to take some values takes them
// time exponential in their number.
const fewPending = 6

// muchPending reports whether more are.
func muchPending(e *history.Execution) bool {
	n := 0
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			n++
		}
	}
	return n > fewPending
}
