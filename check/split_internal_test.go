package check

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// OfKeys is what came of each key of an execution.
func (c *Checker) OfKeys(ctx context.Context, e *history.Execution) (all []Report, err error) {
	key, err := c.split()
	if err != nil {
		return nil, err
	}
	own, err := c.resolve(e)
	if err != nil {
		return nil, err
	}
	parts, err := shares(e, own, key, Shard{})
	for _, s := range parts {
		all = append(all, s.report(&work{Checker: c, ctx: ctx}, false))
	}
	return all, err
}
