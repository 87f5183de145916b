package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/prefix"
)

// reading is the signature that logs are read with: the theory's, with the outcomes
// that only the reference has.
func (c *Checker) reading() history.Signature {
	if c.alone() || c.model == nil {
		return c.signature
	}
	methods := slices.Clone(c.signature.Methods())
	for i := range methods {
		m := &methods[i]
		more, ok := c.model.signature.Method(m.Name)
		if !ok || more.Args != m.Args {
			continue
		}
		m.Outcomes = slices.Clip(m.Outcomes)
		for _, o := range more.Outcomes {
			if !slices.ContainsFunc(m.Outcomes, func(own history.OutcomeSig) bool { return own.Outcome == o.Outcome }) {
				m.Outcomes = append(m.Outcomes, o)
			}
		}
	}
	if s, err := history.NewSignature(methods...); err == nil {
		return s
	}
	return c.signature
}

// fewEvents is how long a violating prefix may be that the reference is asked about
// first; of longer ones it is asked about the explanation.
const fewEvents = 200

// compared is the result of a theory with what the reference says: that decides what
// the theory does not cover, and confirms violations.
func (c *Checker) compared(ctx context.Context, e *history.Execution, r Result, err error) (Result, error) {
	refused := refused(err)
	unsure := r.Verdict == Inconclusive || r.Verdict == NoViolationFound && c.theory == nil
	open := err == nil && unsure && ctx.Err() == nil
	if !refused && !open && (err != nil || r.Verdict != Violation) {
		return r, err
	}
	own, bad := c.model.resolve(e)
	switch {
	case bad != nil && refused:
		return r, err
	case bad != nil:
		return Result{}, fmt.Errorf("%w; theory %s does not describe the reference", bad, c.named)
	case r.Verdict == Violation:
		return c.confirmed(ctx, own, r)
	}
	res, bad := c.checkBy(ctx, c.model, own)
	if bad != nil || res.Verdict == Inconclusive && open {
		return r, errors.Join(err, bad)
	}
	res.By += " (the theory does not cover the log)"
	return res, nil
}

// confirmed is a violation by the theory if it is one by the reference, too: the
// shortest prefix, or for long ones the operations that the theory blames.
func (c *Checker) confirmed(ctx context.Context, e *history.Execution, r Result) (Result, error) {
	say := func(by string) string { return "the theory, and " + by }
	if r.Prefix > fewEvents {
		if x, err := c.byTheory(ctx, e, r); err == nil {
			res, err := c.model.check(ctx, x.Execution)
			if err == nil && res.Verdict == Violation {
				r.By = say(res.By)
				return r, nil
			}
		}
	}
	res, err := c.model.check(ctx, e.Prefix(r.Prefix))
	switch {
	case err != nil:
		return Result{}, err
	case res.Verdict == Violation:
		r.By = say(res.By)
		return r, nil
	case res.Verdict == Inconclusive:
		if ctx.Err() != nil {
			res.Detail = prefix.Stopped(ctx)
		}
		return Result{Verdict: Inconclusive, Engine: r.Engine, Events: r.Events,
			Detail: fmt.Sprintf("the first %d events are a violation by the theory, which the reference does not confirm: %s", r.Prefix, res.Detail)}, nil
	}
	said := fmt.Sprintf("the first %d events are a violation by theory %s, and the reference admits them: the theory does not describe the reference", r.Prefix, c.named)
	if res, err = c.checkBy(ctx, c.model, e); err == nil {
		res.Detail = joined(said, res.Detail)
	}
	return res, err
}
