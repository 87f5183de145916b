package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// Enough are the operations that are left of a violating prefix when it is made smaller.
func (m *Procedure) Enough(e *history.Execution, n int) *history.Execution {
	c, err := m.of.Reader.Read(e)
	if a, _ := m.of.Shape.New().Decide(c, int32(n)); err != nil || a != batch.Violating {
		return nil
	}
	blamed := make([]int32, c.Values)
	for v := range blamed {
		blamed[v] = int32(v)
	}
	ops, _ := some(e)(m.enough(context.Background(), c, int32(n), blamed))
	return project(ops, n)
}
