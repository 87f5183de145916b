package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/spurious"
	"github.com/adtinfer/adtinfer/theory"
)

// setMayFail reads what may fail, by the options and the theory.
func (c *Checker) setMayFail(t *theory.Theory) error {
	ks, err := spurious.Parse(c.signature.Methods(), c.options.MayFail)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if c.mayFail = ks; t == nil {
		return nil
	}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		for _, o := range p.History.Ops {
			if slices.Contains(ks, o.Kind) && !o.ReadOnly {
				return fmt.Errorf("check: what may fail: %s => %s changes the state, as pattern %s says, so it is no failure", o.Method, o.Outcome, p.Name)
			}
		}
	}
	c.mayFail = append(c.mayFail, t.Spec.MayFail...)
	return nil
}

// rest is what decides about an execution: what it is without the operations that
// may come in every state.
func (c *Checker) rest(e *history.Execution) *history.Execution {
	if len(c.mayFail) == 0 {
		return e
	}
	if own, err := c.resolve(e); err == nil {
		e = own
	}
	return c.mayFail.Without(e)
}

// relaxed is the result for an execution some operations of which may come in every
// state. In a shorter prefix they may still run, and turn out otherwise.
func (c *Checker) relaxed(ctx context.Context, e *history.Execution) (Result, error) {
	r, err := c.strict(ctx, c.rest(e))
	if err == nil && r.Verdict == Violation && len(c.mayFail) > 0 && !c.options.Whole {
		r = c.shortest(ctx, e, r)
	}
	return r, err
}

// compare is the theory as a model is compared with it.
func (c *Checker) compare() *theory.Theory {
	if len(c.mayFail) == 0 {
		return c.theory
	}
	t := *c.theory
	t.Spec.Methods, t.Spec.MayFail = c.mayFail.Methods(t.Spec.Methods), nil
	return &t
}

// shortest is the violation with its shortest prefix, which is no shorter than that
// of what is left of the execution.
func (c *Checker) shortest(ctx context.Context, e *history.Execution, r Result) Result {
	if own, err := c.resolve(e); err == nil {
		e = own
	}
	if !c.mayFail.Running(e, r.Prefix) {
		return r
	}
	least, most := r.Prefix, e.Events
	for r.Prefix = most; least < most; {
		n := least + (most-least)/2
		p, err := c.strict(ctx, c.rest(e.Prefix(n)))
		switch {
		case err != nil || p.Verdict == Inconclusive:
			r.Detail = joined("a shorter prefix may violate, too", r.Detail)
			return r
		case p.Verdict == Violation:
			most, r = n, p
			r.Prefix, r.Events = n, e.Events
		default:
			least = n + 1
		}
	}
	return r
}
