package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// runner is an engine that can be given a theory prepared before, so that one
// that checks many executions, or many parts of one, prepares it once.
type runner interface {
	Engine

	// run decides an execution that the theory's labels were resolved in. It
	// leaves Engine and Events of the result to its caller.
	run(ctx context.Context, c *compiled, e *history.Execution) (Result, error)
}

// checkBy is Check of a runner.
func checkBy(ctx context.Context, r runner, t *theory.Theory, e *history.Execution) (Result, error) {
	c, err := compile(t)
	if err != nil {
		return Result{}, err
	}
	return checkCompiled(ctx, r, c, e)
}

func checkCompiled(ctx context.Context, engine Engine, c *compiled, e *history.Execution) (Result, error) {
	e, err := c.resolve(e)
	if err != nil {
		return Result{}, err
	}
	res, err := runEngine(ctx, engine, c, e)
	if res.Engine == "" {
		res.Engine = engine.Name()
	}
	res.Events = e.Events
	return res, err
}

// runEngine runs any engine on an execution with resolved labels.
func runEngine(ctx context.Context, engine Engine, c *compiled, e *history.Execution) (Result, error) {
	switch engine := engine.(type) {
	case runner:
		return engine.run(ctx, c, e)
	case Saturate:
		if engine.Rules == nil {
			rules, err := c.saturation()
			if err != nil {
				return Result{}, err
			}
			engine.Rules = rules
		}
		engine.Whole = engine.Whole || c.whole
		return engine.Check(ctx, c.source, e)
	case Monitor:
		if engine.Selected == nil {
			selected, err := c.selection(ctx)
			if ctx.Err() != nil {
				return Result{Verdict: Inconclusive, Detail: stopped(ctx)}, nil
			}
			if err != nil {
				return Result{}, err
			}
			engine.Selected = selected
		}
		engine.whole = c.whole
		return engine.Check(ctx, c.source, e)
	}
	return engine.Check(ctx, c.source, e)
}
