package monitor

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
)

// NotRecognized is the error of a theory that no procedure decides. Another
// engine may.
type NotRecognized struct {
	Theory string
	Reason string // a clause: "its patterns are not those of a queue: ..."
}

func (e *NotRecognized) Error() string {
	return fmt.Sprintf("monitor: no fast procedure for theory %s: %s", e.Theory, e.Reason)
}

// OutsideClass is the error of an execution that the procedure does not decide,
// although the theory may speak of it: a value was added twice, or may have
// been. Another engine may decide it.
type OutsideClass struct {
	Reason string
	A, B   *history.Operation // the two that add one value; nil if none can be blamed
}

func (e *OutsideClass) Error() string {
	if e.A == nil || e.B == nil {
		return "monitor: " + e.Reason
	}
	return fmt.Sprintf("monitor: %s: [%s] %s and [%s] %s", e.Reason, e.A.ID, e.A.Label, e.B.ID, e.B.Label)
}

// BadOperation is the error of an operation that is none of the theory's, or
// does not follow the one before it in the order of their calls.
type BadOperation struct {
	Op *history.Operation
}

func (e *BadOperation) Error() string {
	return fmt.Sprintf("monitor: [%s] %s is no operation of the theory, or not in the order of the calls", e.Op.ID, e.Op.Label)
}

// unclear is the error of an execution that the procedure has no answer for.
func (m *Monitor) unclear() error {
	if m.shape.table {
		return &OutsideClass{Reason: "three or more values of a container may exclude each other, or pending operations took some: this procedure does not decide it"}
	}
	return &OutsideClass{Reason: "pending operations may have added a value a second time, or there are too many of them"}
}
