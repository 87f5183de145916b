package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/theory"
)

// Monitor decides in near-linear time, by a procedure made for the type, which
// is recognized by the theory's patterns. It is complete, but not for all
// theories (the error is a *monitor.NotRecognized) and not for all executions
// (*monitor.OutsideClass): both mean that another engine should be asked.
//
// The Detail of a violation says what is wrong, in a sentence.
type Monitor struct {
	// Selected is the procedure that SelectMonitor found for the theory; nil to
	// look for it at each check, which takes some ten milliseconds.
	Selected *monitor.Procedure

	whole bool // see Whole
}

// SelectMonitor is monitor.Select with Symbolic as the judge.
func SelectMonitor(ctx context.Context, t *theory.Theory) (*monitor.Procedure, error) {
	c, err := compile(t)
	if err != nil {
		return nil, &monitor.NotRecognized{Theory: t.Name, Reason: err.Error()}
	}
	if err := c.sequential("monitor"); err != nil {
		return nil, &monitor.NotRecognized{Theory: t.Name, Reason: err.Error()}
	}
	return monitor.Select(ctx, t, func(ctx context.Context, e *history.Execution) (bool, bool, error) {
		e, err := c.resolve(e)
		if err != nil {
			return false, false, err
		}
		a, err := symbolicRun{ctx, c, e}.decide(e.Events)
		return a.sat, a.sat || a.excluded == "", err
	})
}

// ModelMonitor is the near-linear procedure for a data type of which no theory
// says all: the built-in models priority-queue and min-priority-queue. The
// theory is compared with what it can say of them (see BuiltinModel), and tells
// the names of the methods.
func ModelMonitor(ctx context.Context, t *theory.Theory, model string) (*monitor.Procedure, error) {
	if model != "priority-queue" && model != "min-priority-queue" {
		return nil, fmt.Errorf("check: monitor needs no model %q: it has procedures for the models priority-queue and min-priority-queue, and chooses all others from the theory", model)
	}
	_, names, err := builtin(ctx, t, model)
	if err != nil {
		return nil, err
	}
	name := func(own string) string { return append(slices.Clone(names[own]), own)[0] }
	p := monitor.PriorityQueue{Name: t.Name, Add: name("add"), Remove: name("remove"), Peek: name("peek"), Aliases: map[string][]string{}, LowestFirst: model == "min-priority-queue"}
	for i := range t.Spec.Methods {
		p.Aliases[t.Spec.Methods[i].Name] = t.Spec.Methods[i].Aliases
	}
	return monitor.ForPriorityQueue(p), nil
}

// Name is "monitor".
func (Monitor) Name() string { return "monitor" }

// Check decides one execution.
func (m Monitor) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	res := Result{Engine: m.Name(), Events: e.Events}
	if m.Selected == nil {
		s, err := SelectMonitor(ctx, t)
		if ctx.Err() != nil {
			res.Verdict, res.Detail = Inconclusive, stopped(ctx)
			return res, nil
		}
		if err != nil {
			return Result{}, err
		}
		m.Selected = s
	}
	decide := m.Selected.Check
	if m.whole {
		decide = m.Selected.CheckWhole
	}
	found, err := decide(ctx, e)
	switch {
	case errors.As(err, new(*monitor.BadOperation)), errors.As(err, new(*monitor.OutsideClass)):
		return Result{}, explainBad(ctx, t, e, err)
	case err != nil:
		return Result{}, err
	}
	res.Procedure = m.Selected.Why()
	if found.Linearizable {
		res.Verdict = Linearizable
		return res, nil
	}
	res.Verdict, res.Prefix, res.Detail = Violation, found.Prefix, found.Reason.Sentence
	switch {
	case !found.Shortest && m.whole && ctx.Err() == nil:
		res.Detail = joined(res.Detail, notSought)
	case !found.Shortest:
		why := "whether a shorter prefix is a violation is not known, for what pending operations may do"
		if ctx.Err() != nil {
			why = stopped(ctx) + " before the shortest violating prefix was found"
		}
		res.Detail = why + "; " + res.Detail
	}
	res.Patterns = patternsOf(ctx, t, found.Reason)
	return res, nil
}

// explainBad says what the theory does not know about an execution.
func explainBad(ctx context.Context, t *theory.Theory, e *history.Execution, otherwise error) error {
	c, err := compile(t)
	if err == nil {
		e, err = c.resolve(e)
	}
	if err == nil {
		err = c.refuses(ctx, e)
	}
	if err == nil {
		err = otherwise
	}
	return err
}

const (
	fewOps      = 100 // of a reason whose patterns symbolic names
	patternTime = time.Second
)

// patternsOf names the patterns that exclude every linearization of a reason's
// operations, and so of the prefix.
func patternsOf(ctx context.Context, t *theory.Theory, r *monitor.Reason) []string {
	if len(r.Ops) <= fewOps {
		ctx, cancel := context.WithTimeout(ctx, patternTime)
		defer cancel()
		res, err := Symbolic{}.Check(ctx, t, r.Execution)
		if err == nil && res.Verdict == Violation && len(res.Patterns) > 0 {
			return res.Patterns
		}
	}
	return r.Patterns
}
