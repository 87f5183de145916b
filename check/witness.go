package check

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/derive"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/theory"
)

// NoEvidence is the error of Witness for a verdict that it cannot prove.
type NoEvidence struct{ Reason string }

func (n *NoEvidence) Error() string { return "check: no evidence: " + n.Reason }

// Witness is evidence for the verdict of a result: of a violation the derivation
// that Explain finds, otherwise a linearization. That is a near-linear
// procedure's for long executions of theories that have one, else it is read off
// a model of the symbolic engine, whichever engine gave the verdict.
//
// The error is a *NoEvidence, or about the input.
func Witness(ctx context.Context, t *theory.Theory, e *history.Execution, r Result) (*evidence.Evidence, error) {
	p, err := NewExplainer(t)
	if err != nil {
		return nil, err
	}
	return p.Witness(ctx, e, r)
}

// Witness is the function Witness for the explainer's theory.
func (p *Explainer) Witness(ctx context.Context, e *history.Execution, r Result) (*evidence.Evidence, error) {
	if r.Verdict != Violation {
		return p.linearize(ctx, e)
	}
	x, err := p.Explain(ctx, e, r)
	if err != nil {
		return nil, err
	}
	return p.Evidence(e, x)
}

// Evidence is the evidence of an execution's explanation.
func (p *Explainer) Evidence(e *history.Execution, x *Explanation) (*evidence.Evidence, error) {
	if len(x.Steps) == 0 {
		return nil, &NoEvidence{x.Underived}
	}
	e, err := p.theory.resolve(e)
	if err != nil {
		return nil, err
	}
	return &evidence.Evidence{Theory: p.theory.source.Name, Log: evidence.Digest(e), Violation: true, Prefix: x.Prefix, Steps: x.Steps}, nil
}

// together is why theories of a width beyond 1 have no evidence.
const together = "operations of the theory take effect while they overlap, and evidence is about sequences"

func (p *Explainer) linearize(ctx context.Context, e *history.Execution) (*evidence.Evidence, error) {
	c := p.theory
	if err := c.sequential("evidence"); err != nil {
		return nil, &NoEvidence{together}
	}
	e, err := c.resolve(e)
	if err != nil {
		return nil, err
	}
	ev := &evidence.Evidence{Theory: c.source.Name, Log: evidence.Digest(e)}
	if len(e.Ops) >= minMonitor {
		if ev.Order, err = c.monitored(ctx, e); err == nil {
			return ev, nil
		}
	}
	a, err := decidePrefix(ctx, c, e, func(in *instance) (sat bool, err error) {
		sat, ev.Order, err = in.linearization(ctx)
		return sat, err
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &NoEvidence{stopped(ctx)}
	case errors.Is(err, errOverlap):
		return nil, &NoEvidence{err.Error()}
	case err != nil:
		return nil, err
	case !a.sat:
		return nil, &NoEvidence{"the theory alone does not show that the execution is linearizable"}
	}
	return ev, nil
}

// monitored is the linearization that the theory's near-linear procedure finds.
func (c *compiled) monitored(ctx context.Context, e *history.Execution) ([]evidence.Taken, error) {
	m, err := c.selection(ctx)
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

// linearization is the order of a model of the instance, if it has one. Pending
// operations that are read-only are left out: nothing needs them, and what they
// would answer may be any value.
func (in *instance) linearization(ctx context.Context) (sat bool, order []evidence.Taken, err error) {
	p := newProblem(ctx, in)
	for _, x := range in.theory.excludes {
		l, err := p.grounder.Ground(ctx, x.plan)
		if err != nil || l == formula.True {
			return false, nil, err
		}
		p.cnf.Assert(-l)
	}
	if res, err := p.solve(ctx); err != nil || res != solver.Sat {
		return false, nil, err
	}
	holds := func(l formula.Lit) bool {
		return l == formula.True || l != formula.False && p.cnf.Holds(l, p.solver.True)
	}
	var taken []int
	for i, e := range in.elems {
		if e.used == formula.True || !in.readOnly[i] && holds(e.used) {
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
		if in.elems[i].used != formula.True {
			t.Outcome, t.Rets = in.elems[i].label.Outcome, in.elems[i].label.Rets
		}
		order = append(order, t)
	}
	return true, order, nil
}

// derive adds the derivation to an explanation, found from the operations that
// are enough.
func (x *Explanation) derive(ctx context.Context, t *theory.Theory, e, enough *history.Execution) {
	if t.Spec.Width > 1 {
		x.Underived = together
		return
	}
	ids := make([]string, len(enough.Ops))
	for i := range enough.Ops {
		ids[i] = enough.Ops[i].ID
	}
	prefix := e.Prefix(x.Prefix)
	steps, err := derive.Violation(ctx, t, prefix, ids)
	if err != nil {
		x.Underived = underived(ctx, err)
		return
	}
	x.Steps, x.Labels = steps, map[string]history.Label{}
	for i := range steps {
		for _, id := range append([]string{steps[i].Fact.A, steps[i].Fact.B}, steps[i].Ops...) {
			x.Labels[id] = history.Label{}
		}
	}
	delete(x.Labels, "") // of contradictions
	for i := range prefix.Ops {
		if _, named := x.Labels[prefix.Ops[i].ID]; named {
			x.Labels[prefix.Ops[i].ID] = prefix.Ops[i].Label
		}
	}
}

func underived(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return stopped(ctx)
	}
	var none *derive.None
	if errors.As(err, &none) {
		return "no contradiction was found from the patterns and the operations that remain"
	}
	return err.Error()
}

// Admits makes a model what linearizations are compared with (see verify.Check): the
// function counts the operations, from the first on,
// that the model allows one after the other.
func Admits(m wgl.Model) func(ctx context.Context, labels []history.Label) (int, error) {
	return func(ctx context.Context, labels []history.Label) (int, error) {
		s := m.Init()
		for i := range labels {
			next, ok := m.Step(s, &labels[i])
			if !ok || ctx.Err() != nil {
				return i, ctx.Err()
			}
			s = next
		}
		return len(labels), nil
	}
}
