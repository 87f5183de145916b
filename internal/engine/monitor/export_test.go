package monitor

import (
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
)

// Enough are the operations that are left of a violating prefix when it is made smaller.
func (m *Procedure) Enough(e *history.Execution, n int) *history.Execution {
	c, err := m.of.Reader.Read(e)
	if a, _ := m.of.Shape.New().Decide(c, int32(n)); err != nil || a != batch.Violating {
		return nil
	}
	var ops []int
	for _, i := range m.enough(c, int32(n)) {
		ops = append(ops, int(i))
	}
	return project(some(e, ops), n)
}
