package peer

import (
	"hash/maphash"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
)

var hashSeed = maphash.MakeSeed()

// model is a deterministic data type as a Porcupine user would write it: states
// are text, inputs and outputs labels.
func model(m historytest.Model) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			way, l := m(state.(string), input.(*history.Label))[0], output.(*history.Label)
			return l.Outcome == history.Pending || way.Gives(l), way.Next
		},
		Equal: func(a, b any) bool { return a == b },
		Hash:  func(s any) uint64 { return maphash.String(hashSeed, s.(string)) },
	}
}

// operations lists the operations for Porcupine. Pending ones return last, with
// any answer.
func operations(e *history.Execution) []porcupine.Operation {
	ops := make([]porcupine.Operation, len(e.Ops))
	for i := range e.Ops {
		o := &e.Ops[i]
		ops[i] = porcupine.Operation{Input: &o.Label, Output: &o.Label, Call: int64(o.Call), Return: int64(o.Return)}
		if !o.Completed() {
			ops[i].Return = int64(e.Events + i)
		}
	}
	return ops
}

// says is Porcupine's verdict: porcupine.Unknown if it does not finish.
func says(m porcupine.Model, e *history.Execution) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(m, operations(e), 3*time.Second)
}
