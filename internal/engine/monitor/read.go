package monitor

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
)

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

// BadOperation is the error of an operation that the theory does not know, or
// that does not follow the one before it in the order of their calls.
type BadOperation struct {
	Op *history.Operation
}

func (e *BadOperation) Error() string {
	return fmt.Sprintf("monitor: [%s] %s is no operation of the theory, or not in the order of the calls", e.Op.ID, e.Op.Label)
}

// reader knows what the methods of a theory do, and turns executions into
// columns.
type reader struct {
	methods  map[string]*method                 // by name and alias
	priority func(history.Value) (int64, error) // nil if the values have none
}

// method is a method with what its operations do.
type method struct {
	args     int
	outcomes []outcome
	open     role // of pending operations
	kind     uint8
	unique   bool // whatever it answers, the argument is that of no other such call
}

// outcome is what an operation does that had it.
type outcome struct {
	history.Outcome
	rets    int
	role    role
	fromArg bool // the value is the argument, otherwise what was returned
	agree   bool // argument and returned value must be the same
	unique  bool // the argument is that of no other such call
}

// does reports whether an operation may have a role.
func (r *reader) does(what role) bool {
	for _, m := range r.methods {
		for _, o := range m.outcomes {
			if o.role == what {
				return true
			}
		}
	}
	return false
}

// answer returns what an operation does that had an outcome with n values; nil
// if the method has no such outcome.
func (m *method) answer(o history.Outcome, n int) *outcome {
	for i := range m.outcomes {
		if out := &m.outcomes[i]; out.Outcome == o && out.rets == n {
			return out
		}
	}
	return nil
}

// valueOf returns the value of an operation that had the outcome, "" if it has
// none; false if its argument and its returned value ought to agree and do not.
func (o *outcome) valueOf(args, rets []history.Value) (v history.Value, ok bool) {
	switch {
	case o.agree && args[0] != rets[0]:
		return "", false
	case o.role == empty:
		return "", true
	case o.fromArg:
		return args[0], true
	}
	return rets[0], true
}

// valueOf returns the value that an operation speaks of, one that may not have
// returned yet.
func (r *reader) valueOf(o *history.Operation, pending bool) history.Value {
	if pending || !o.Completed() {
		return o.Args[0]
	}
	v, _ := r.methods[o.Method].answer(o.Outcome, len(o.Rets)).valueOf(o.Args, o.Rets)
	return v
}

// read turns an execution into columns. The error is a *BadOperation or an
// *OutsideClass. It takes expected linear time and about 40 bytes an operation.
func (r *reader) read(e *history.Execution) (c *columns, err error) {
	c = newColumns(len(e.Ops))
	c.events = int32(e.Events)
	u := newNumbering(r, len(e.Ops))
	last := -1
	for i := range e.Ops {
		o := &e.Ops[i]
		m := r.methods[o.Method]
		if m == nil || len(o.Args) != m.args || o.Call <= last || o.Call >= e.Events {
			return nil, &BadOperation{o}
		}
		last = o.Call
		x, err := m.row(e, i, &u)
		if err != nil {
			return nil, err
		}
		c.push(x)
	}
	if c.priority = u.priorities; u.err != nil {
		return nil, &OutsideClass{Reason: u.err.Error()}
	}
	return c, nil
}

// row turns one operation into a row of columns.
func (m *method) row(e *history.Execution, i int, u *numbering) (op, error) {
	o := &e.Ops[i]
	x := op{value: -1, open: m.open, kind: m.kind, asked: -1, call: int32(o.Call) + 1, ret: never}
	unique := m.unique
	if o.Completed() {
		out := m.answer(o.Outcome, len(o.Rets))
		if out == nil || o.Return <= o.Call || o.Return >= e.Events {
			return x, &BadOperation{o}
		}
		v, ok := out.valueOf(o.Args, o.Rets)
		if !ok {
			return x, &OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", o.ID, o.Label)}
		}
		x.ret, x.role, unique = int32(o.Return)+1, out.role, out.unique
		if out.role != empty {
			x.value = u.number(v)
		}
	}
	if m.args == 1 {
		x.asked = u.number(o.Args[0])
		if j := &u.users[x.asked]; unique && *j != 0 {
			return x, &OutsideClass{"a value is used twice", &e.Ops[*j-1], o}
		} else if unique {
			*j = int32(i) + 1
		}
	}
	return x, nil
}

// numbering numbers values in the order in which they occur.
type numbering struct {
	small []int32 // by value, for small numbers: 1 + its number
	rest  map[history.Value]int32
	users []int32 // by number: 1 + the operation that must be alone with it

	priority   func(history.Value) (int64, error)
	priorities []int64 // by number
	err        error   // of the first value that has none
}

func newNumbering(r *reader, ops int) numbering {
	return numbering{priority: r.priority, small: make([]int32, 2*ops+16), rest: map[history.Value]int32{}}
}

func (u *numbering) number(v history.Value) int32 {
	p := u.cell(v)
	if p == nil {
		n, ok := u.rest[v]
		if !ok {
			n = u.next(v)
			u.rest[v] = n
		}
		return n
	}
	if *p == 0 {
		*p = u.next(v) + 1
	}
	return *p - 1
}

func (u *numbering) next(v history.Value) int32 {
	if u.priority != nil {
		n, err := u.priority(v)
		if err != nil && u.err == nil {
			u.err = err
		}
		u.priorities = append(u.priorities, n)
	}
	u.users = append(u.users, 0)
	return int32(len(u.users)) - 1
}

// cell returns where a value's number is kept if it is the text of a small
// number, otherwise nil.
func (u *numbering) cell(v history.Value) *int32 {
	if len(v) == 0 || len(v) > 9 || v[0] == '0' && len(v) > 1 {
		return nil
	}
	n := 0
	for i := range len(v) {
		d := v[i] - '0'
		if d > 9 {
			return nil
		}
		n = n*10 + int(d)
	}
	if n >= len(u.small) {
		return nil
	}
	return &u.small[n]
}
