package monitor

import (
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// Result is what a monitor says of an execution.
type Result struct {
	Linearizable bool

	// Prefix counts the events of the shortest prefix that is not linearizable,
	// and Reason says why it is not; 0 and nil if the execution is linearizable.
	Prefix int
	Reason *Reason

	// Shortest is false if the context ended while shorter prefixes were left
	// to decide, or the procedure does not decide some of these for what
	// pending operations may do.
	Shortest bool
}

// Check decides an execution. It takes O(n) for queues, sets, registers and
// locks, and O(n log n) for stacks, beyond what choices about pending operations
// cost; a violation costs that a few times more to find the shortest prefix.
//
// The error is an *OutsideClass if another engine must be asked, or a
// *BadOperation.
func (m *Monitor) Check(ctx context.Context, e *history.Execution) (Result, error) {
	c, err := m.reader.read(e)
	if err != nil {
		return Result{}, err
	}
	p := m.shape.new()
	a, w := p.decide(c, c.events)
	if a == linearizable {
		return Result{Linearizable: true, Shortest: true}, nil
	}
	n, a, w, exact := shortest(ctx, p, c, c.events, a, w)
	if a == unclear {
		return Result{}, m.unclear()
	}
	return Result{Prefix: int(n), Reason: m.reason(c, e, n, w), Shortest: exact}, nil
}
