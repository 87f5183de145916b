package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// Enough are the operations that are left of a violating prefix when it is made smaller.
func (m *Procedure) Enough(e *history.Execution, n int) *history.Execution {
	c, err := m.reader.Read(e)
	if a, _ := m.shape.New().Decide(c, int32(n)); err != nil || a != batch.Violating {
		return nil
	}
	blamed := make([]int32, c.Values)
	for v := range blamed {
		blamed[v] = int32(v)
	}
	ops, _ := some(e)(m.enough(context.Background(), c, int32(n), blamed))
	return project(ops, n)
}

// Left is how many values of a prefix count as ones that nothing took.
func (m *Procedure) Left(e *history.Execution, n int) (left int, ok bool) {
	c, err := m.reader.Read(e)
	if err != nil {
		return 0, false
	}
	s := &shrinker{c: c, n: int32(n)}
	last, is := s.lasts()
	for v := range is {
		if is[v] && last[v] > 0 {
			left++
		}
	}
	return left, true
}
