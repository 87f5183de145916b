package check

import (
	"cmp"
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// NoEvidence is the error of Witness for a verdict that it cannot prove.
type NoEvidence struct{ Reason string }

func (n *NoEvidence) Error() string { return "check: no evidence: " + n.Reason }

// Witness is evidence for the verdict of a result: of a violation the derivation
// that Explain finds, otherwise a linearization. That is a near-linear
// procedure's for long executions of theories that have one, else it is read off
// a model of the grounded theory, whichever engine gave the verdict.
//
// The error is a *NoEvidence, or about the input.
func (c *Checker) Witness(ctx context.Context, e *history.Execution, r Result) (*evidence.Evidence, error) {
	if r.Verdict != Violation {
		return c.linearize(ctx, c.rest(e))
	}
	x, err := c.Explain(ctx, e, r)
	if err != nil {
		return nil, err
	}
	return c.derivation(ctx, e, x)
}

// derivation is the evidence of an execution's explanation.
func (c *Checker) derivation(ctx context.Context, e *history.Execution, x *Explanation) (*evidence.Evidence, error) {
	if x.Never != "" && (c.spec == nil || !c.whollyTold && outcomeOf(c.signature, &x.Last.Label) == nil) {
		return nil, &NoEvidence{"no call answers so by the reference, and evidence is about what a theory says"}
	}
	if len(c.mayFail) > 0 {
		e = c.rest(e.Prefix(x.Prefix))
	}
	e, err := c.resolved(e)
	if err != nil {
		return nil, err
	}
	ev := &evidence.Evidence{Theory: c.named, Log: evidence.Digest(e), Violation: true, Prefix: x.Prefix, Keys: x.Keys, Steps: x.Steps}
	if x.Never != "" {
		ev.Steps = []evidence.Step{{Ops: []string{x.Last.ID}, Answer: true}}
	}
	if len(ev.Steps) > 0 {
		return ev, nil
	}
	spec := c.spec
	if len(c.described) == 0 {
		spec = c.meant(ctx)
	}
	if spec == nil {
		err = errors.New(x.Underived)
	} else {
		err = window(ctx, ev, spec, e.Prefix(x.Prefix))
	}
	if err != nil && x.Underived != "" && x.Underived != underivable {
		err = errors.New(x.Underived)
	}
	if err != nil {
		return nil, &NoEvidence{err.Error()}
	}
	return ev, nil
}

// meant is the automaton that the theory's axioms mean, or nil.
func (c *Checker) meant(ctx context.Context) *theory.Spec {
	if c.theory == nil {
		return nil
	}
	return axioms.Meaning(ctx, c.theory)
}

func (c *Checker) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	if c.alone() {
		return c.model.linearize(ctx, e)
	}
	var ev *evidence.Evidence
	var err error
	if c.theory != nil {
		if ev, err = c.linearization(ctx, e); err == nil {
			return ev, nil
		}
	}
	for _, d := range c.described {
		ev, bad := d.linearize(ctx, e)
		if bad == nil {
			return ev, nil
		}
		err = cmp.Or(err, bad)
	}
	if m := c.backup(); m != nil {
		return m.linearize(ctx, e)
	}
	return ev, err
}

// linearization is the evidence that the theory gives.
func (c *Checker) linearization(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	if err := ground.Sequential(c.theory, "evidence"); err != nil {
		return nil, &NoEvidence{explain.Overlapping}
	}
	e, err := c.resolve(e)
	if err != nil {
		return nil, err
	}
	ev := &evidence.Evidence{Theory: c.theory.Name, Log: evidence.Digest(e)}
	if len(e.Ops)+logs.Pairs(e, minMonitor) >= minMonitor || c.grounds(e) { // as auto asks it
		if ev.Order, err = c.byProcedure(ctx, e); err == nil {
			return ev, nil
		}
		if m := c.axioms(); m != nil {
			if own, err := m.linearize(ctx, e); err == nil {
				ev.Order = own.Order
				return ev, nil
			}
		}
	}
	order, ok, err := c.ground.Linearize(ctx, e)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &NoEvidence{logs.Stopped(ctx)}
	case errors.Is(err, logs.ErrTooMany):
		return nil, &NoEvidence{err.Error()}
	case err != nil:
		return nil, inputError(err, e)
	case !ok:
		return nil, &NoEvidence{"the theory alone does not show that the execution is linearizable"}
	}
	ev.Order = order
	return ev, nil
}

// byProcedure is the linearization that the theory's near-linear procedure finds.
func (c *Checker) byProcedure(ctx context.Context, e *history.Execution) ([]evidence.Taken, error) {
	m, err := c.procedure(ctx)
	if err != nil {
		return nil, err
	}
	l, err := m.Linearize(ctx, e)
	if err != nil {
		return nil, err
	}
	order := make([]evidence.Taken, len(l.Order))
	for i, op := range l.Order {
		order[i].Op = e.Ops[op].ID
		if !e.Ops[op].Completed() {
			label := l.Completions[op]
			order[i].Outcome, order[i].Rets = label.Outcome, label.Rets
		}
	}
	return order, nil
}
