package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// CheckWhole is Check without the search for the shortest prefix, where the whole
// execution shows a violation by itself: Prefix then counts all of its events,
// and Shortest is false.
func (m *Monitor) CheckWhole(ctx context.Context, e *history.Execution) (Result, error) {
	c, err := m.reader.read(e)
	if err != nil {
		return Result{}, err
	}
	switch a, w := m.shape.new().decide(c, c.events); a {
	case linearizable:
		return Result{Linearizable: true, Shortest: true}, nil
	case violating:
		return Result{Prefix: int(c.events), Reason: m.reason(c, e, c.events, w)}, nil
	}
	return m.Check(ctx, e)
}
