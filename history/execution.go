package history

import "strings"

// Operation is one method invocation of an execution.
type Operation struct {
	ID      string // as the log names it; unique in the execution
	Process string // the thread or client, if the log says so
	Label          // outcome Pending if it did not return

	Call   int // index of the call among the execution's events, from 0
	Return int // index of the return, or NoReturn

	CallPos   Pos // where the log says so; zero if not from a log
	ReturnPos Pos
}

// NoReturn is the Return of a pending operation.
const NoReturn = -1

// Completed tells whether the operation returned.
func (o *Operation) Completed() bool { return o.Return != NoReturn }

// Execution is a sequence of call and return actions ("Symbolic ADT inference"
// §3), held as its operations in the order of their calls.
type Execution struct {
	Object string // the log's "# @object", if any
	Ops    []Operation
	Events int // number of call and return actions
}

// Sequential builds the execution in which each operation returns before the
// next is called. Operations are named 1, 2, 3, ...
func Sequential(labels ...Label) *Execution {
	e := &Execution{Events: 2 * len(labels)}
	for i, l := range labels {
		e.Ops = append(e.Ops, Operation{ID: itoa(i + 1), Label: l, Call: 2 * i, Return: 2*i + 1})
	}
	return e
}

// Before tells whether operation i returned before operation j was called.
func (e *Execution) Before(i, j int) bool {
	r := e.Ops[i].Return
	return r != NoReturn && r < e.Ops[j].Call
}

// Prefix is the execution's first n events: operations called later are left
// out, operations that return later are pending.
func (e *Execution) Prefix(n int) *Execution {
	p := &Execution{Object: e.Object, Events: min(n, e.Events)}
	for _, o := range e.Ops {
		if o.Call >= n {
			continue
		}
		if o.Completed() && o.Return >= n {
			o.Return, o.Outcome, o.Rets, o.ReturnPos = NoReturn, Pending, nil, Pos{}
		}
		p.Ops = append(p.Ops, o)
	}
	return p
}

// String is the labels in order of call, separated by "; ".
func (e *Execution) String() string {
	var parts []string
	for i := range e.Ops {
		parts = append(parts, e.Ops[i].Label.String())
	}
	return strings.Join(parts, "; ")
}
