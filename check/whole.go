package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Whole is an engine that decides full executions only: it does not look for
// the shortest violating prefix. Of a violation Prefix counts all events, and
// Detail says so; a saturating engine still stops where it finds one.
type Whole struct{ Engine }

// Check decides one execution.
func (w Whole) Check(ctx context.Context, t *theory.Theory, e *history.Execution) (Result, error) {
	return checkBy(ctx, w, t, e)
}

func (w Whole) run(ctx context.Context, c *compiled, e *history.Execution) (Result, error) {
	other := *c
	other.whole = true
	res, err := runEngine(ctx, w.Engine, &other, e)
	if err == nil && res.Verdict == Violation && res.Prefix < e.Events {
		res.Prefix, res.Detail = e.Events, joined(res.Detail, notSought)
	}
	return res, err
}
