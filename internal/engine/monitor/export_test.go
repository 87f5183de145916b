package monitor

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Names of the types that there are models of; an example has each name.
func Names() (names []string) {
	for i := range models {
		names = append(names, models[i].name)
	}
	return names
}

// Small is a small random execution of a type.
func Small(r *rand.Rand, name string) *history.Execution {
	all := allModels()
	for i := range all {
		if m := &all[i]; m.name == name {
			return m.execution(small(r, m).history())
		}
	}
	panic("no model of " + name)
}

// Long is an execution of a queue with n operations.
func Long(n int) *history.Execution {
	c := models[0].log(n, 0)
	e := &history.Execution{Events: int(c.events)}
	for i := range c.call {
		o := history.Operation{Call: int(c.call[i]) - 1, Return: int(c.ret[i]) - 1}
		v := []history.Value{history.Value(fmt.Sprint(c.value[i]))}
		switch c.role[i] {
		case add:
			o.Label = history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: v}
		case remove:
			o.Label = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: v}
		default:
			o.Label = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}}
		}
		e.Ops = append(e.Ops, o)
	}
	return e
}

// Read makes columns.
func (m *Procedure) Read(e *history.Execution) error {
	_, err := m.of.reader.read(e)
	return err
}

// Histories is how many random histories a test looks at.
func Histories(n int) int { return histories(n) }

// execution is the execution of actions over the methods of an example.
func (m *model) execution(as []action, events int32) *history.Execution {
	e := &history.Execution{Events: int(events)}
	v := func(n uint64) []history.Value { return []history.Value{history.Value(strconv.Itoa(int(n)))} }
	for i, a := range as {
		o := history.Operation{ID: strconv.Itoa(i + 1), Call: int(a.call) - 1, Return: history.NoReturn}
		o.Method = m.methods[a.method]
		if a.arg != 0 {
			o.Args = v(a.arg)
		}
		if a.ret != never {
			o.Return, o.Outcome = int(a.ret)-1, history.Nil
			found := a.role == remove || a.role == present
			switch {
			case found:
				o.Outcome, o.Rets = history.Some, v(a.value)
			case a.role == add && m.name != "set" && m.name != "lock":
				o.Outcome = history.None
			}
		}
		e.Ops = append(e.Ops, o)
	}
	return e
}
