package batch

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

// Reader knows what the methods of a theory do, and turns executions into
// columns.
type Reader struct {
	Methods  map[string]*Method                 // by name and alias
	Priority func(history.Value) (int64, error) // nil if the values have none
}

// Method is a method with what its operations do.
type Method struct {
	Args     int
	Outcomes []Outcome
	Open     Role // of pending operations
	Kind     uint8
	Unique   bool // whatever it answers, the argument is that of no other such call
}

// Outcome is what an operation does that had it.
type Outcome struct {
	history.Outcome
	Rets    int
	Role    Role
	FromArg bool // the value is the argument, otherwise what was returned
	Agree   bool // argument and returned value must be the same
	Unique  bool // the argument is that of no other such call
}

// Does reports whether an operation may have a role.
func (r *Reader) Does(what Role) bool {
	for _, m := range r.Methods {
		for _, o := range m.Outcomes {
			if o.Role == what {
				return true
			}
		}
	}
	return false
}

// Answer returns what an operation does that had an outcome with n values; nil
// if the method has no such outcome.
func (m *Method) Answer(o history.Outcome, n int) *Outcome {
	for i := range m.Outcomes {
		if out := &m.Outcomes[i]; out.Outcome == o && out.Rets == n {
			return out
		}
	}
	return nil
}

// ValueOf returns the value of an operation that had the outcome, "" if it has
// none; false if its argument and its returned value ought to agree and do not.
func (o *Outcome) ValueOf(args, rets []history.Value) (v history.Value, ok bool) {
	switch {
	case o.Agree && args[0] != rets[0]:
		return "", false
	case o.Role == Empty:
		return "", true
	case o.FromArg:
		return args[0], true
	}
	return rets[0], true
}

// ValueOf returns the value that an operation speaks of, one that may not have
// returned yet.
func (r *Reader) ValueOf(o *history.Operation, pending bool) history.Value {
	if pending || !o.Completed() {
		return o.Args[0]
	}
	v, _ := r.Methods[o.Method].Answer(o.Outcome, len(o.Rets)).ValueOf(o.Args, o.Rets)
	return v
}

// Read turns an execution into columns. The error is a *BadOperation or an
// *OutsideClass. It takes expected linear time and about 40 bytes an operation.
func (r *Reader) Read(e *history.Execution) (c *Columns, err error) {
	c = New(len(e.Ops))
	c.Events = int32(e.Events)
	u := newNumbering(r, len(e.Ops))
	users := make([]int32, 2*len(e.Ops)) // by value: 1 + the operation that must be alone with it
	last := -1
	for i := range e.Ops {
		o := &e.Ops[i]
		m := r.Methods[o.Method]
		if m == nil || len(o.Args) != m.Args || o.Call <= last || o.Call >= e.Events {
			return nil, &BadOperation{o}
		}
		last = o.Call
		x, err := m.row(e, i, &u, users)
		if err != nil {
			return nil, err
		}
		c.Push(x)
	}
	if c.Priority = u.priorities; u.err != nil {
		return nil, &OutsideClass{Reason: u.err.Error()}
	}
	return c, nil
}

// row turns one operation into a row of columns.
func (m *Method) row(e *history.Execution, i int, u *numbering, users []int32) (Op, error) {
	o := &e.Ops[i]
	x := Op{Value: -1, Open: m.Open, Kind: m.Kind, Asked: -1, Call: int32(o.Call) + 1, Ret: Never}
	unique := m.Unique
	if o.Completed() {
		out := m.Answer(o.Outcome, len(o.Rets))
		if out == nil || o.Return <= o.Call || o.Return >= e.Events {
			return x, &BadOperation{o}
		}
		v, ok := out.ValueOf(o.Args, o.Rets)
		if !ok {
			return x, &OutsideClass{Reason: fmt.Sprintf("[%s] %s speaks of two values", o.ID, o.Label)}
		}
		x.Ret, x.Role, unique = int32(o.Return)+1, out.Role, out.Unique
		if out.Role != Empty {
			x.Value = u.number(v)
		}
	}
	if m.Args == 1 {
		x.Asked = u.number(o.Args[0])
		if j := &users[x.Asked]; unique && *j != 0 {
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
	count int32 // of numbers

	priority   func(history.Value) (int64, error)
	priorities []int64 // by number
	err        error   // of the first value that has none
}

func newNumbering(r *Reader, ops int) numbering {
	return numbering{priority: r.Priority, small: make([]int32, 2*ops+16)}
}

func (u *numbering) number(v history.Value) int32 {
	p := u.cell(v)
	if p == nil {
		n, ok := u.rest[v]
		if !ok {
			if u.rest == nil {
				u.rest = map[history.Value]int32{}
			}
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
	u.count++
	return u.count - 1
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
