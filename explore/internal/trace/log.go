package trace

import (
	"strconv"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
)

// Words are what numbers of events mean.
type Words struct {
	// Label is a call with its answer; with answer -1 it is pending.
	Label     func(call, answer int32) history.Label
	Positions []ir.Position
}

// Log is the history of a run.
func Log(object string, events []machine.Event, words Words) *history.Execution {
	e := &history.Execution{Object: object}
	running, calls := map[int]int{}, map[int]int32{} // by thread: the operation, its call
	for _, ev := range events {
		switch ev.Kind {
		case machine.CallEvent:
			running[ev.Thread], calls[ev.Thread] = len(e.Ops), ev.Call
			e.Ops = append(e.Ops, history.Operation{
				ID: strconv.Itoa(len(e.Ops) + 1), Process: strconv.Itoa(ev.Thread + 1), Label: words.Label(ev.Call, -1), Call: e.Events, Return: history.NoReturn,
			})
		case machine.ReturnEvent:
			op := &e.Ops[running[ev.Thread]]
			op.Label, op.Return = words.Label(calls[ev.Thread], ev.Answer), e.Events
		default:
			continue
		}
		e.Events++
	}
	return e
}
