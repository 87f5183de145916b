package monitor

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
)

// Linearization is an order in which the operations of an execution can have
// taken effect, one at a time.
type Linearization struct {
	// Order lists operations by their place in Execution.Ops: all that returned,
	// and of those that are pending the ones that took effect.
	Order []int32

	// Completions are the labels of the pending operations in Order, by their
	// place in Execution.Ops, with an outcome and returned values that make the
	// order one of the type. Nil if there are none.
	Completions map[int32]history.Label
}

// ErrViolation is the error of Linearize for an execution that has no
// linearization; Check says why.
var ErrViolation = errors.New("monitor: the execution has no linearization")

// Linearize finds a linearization, in about the time of Check.
//
// The error is ErrViolation if there is none, a *NotRecognized if the shape's
// procedure only decides, an *OutsideClass if another engine must be asked, a
// *BadOperation, or the context's.
func (m *Monitor) Linearize(ctx context.Context, e *history.Execution) (*Linearization, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, &NotRecognized{m.theory.Name, "no linearizations are made for a " + m.shape.name}
}
