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

func checkCompiled(ctx context.Context, r runner, c *compiled, e *history.Execution) (Result, error) {
	e, err := c.resolve(e)
	if err != nil {
		return Result{}, err
	}
	res, err := r.run(ctx, c, e)
	if res.Engine == "" {
		res.Engine = r.Name()
	}
	res.Events = e.Events
	return res, err
}
