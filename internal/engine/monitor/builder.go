package monitor

import "github.com/adtinfer/adtinfer/history"

// columnBuilder makes columns of the events of a log as they come. It is a
// history.Visitor, and refuses what has to be read with more care.
type columnBuilder struct {
	methods []*method // by number; nil if the theory does not have it
	of      []*method // by operation
	events  int32
	c       *columns
	u       numbering
}

// newBuilder makes room for about so many operations.
func newBuilder(r *reader, sig history.Signature, ops int) *columnBuilder {
	x := &columnBuilder{of: make([]*method, 0, ops), c: newColumns(ops), u: newNumbering(r, ops)}
	for _, m := range sig.Methods() {
		x.methods = append(x.methods, r.methods[m.Name])
	}
	return x
}

// Call takes a call.
func (x *columnBuilder) Call(n int, args []string) bool {
	m := x.methods[n]
	if m == nil || len(args) != m.args {
		return false
	}
	x.events++
	o := op{value: -1, open: m.open, kind: m.kind, asked: -1, call: x.events, ret: never}
	if m.args == 1 {
		o.asked = x.u.number(history.Value(args[0]))
	}
	x.c.push(o)
	x.of = append(x.of, m)
	return true
}

// Return takes a return.
func (x *columnBuilder) Return(i int, o history.Outcome, rets []string) bool {
	m := x.of[i]
	out := m.answer(o, len(rets))
	if out == nil {
		return false
	}
	x.events++
	c, asked := x.c, x.c.asked[i]
	c.ret[i], c.role[i] = x.events, out.role
	switch {
	case out.agree && asked != x.u.number(history.Value(rets[0])):
		return false
	case out.role == empty:
	case out.fromArg:
		c.value[i] = asked
	default:
		c.value[i] = x.u.number(history.Value(rets[0]))
	}
	return m.args == 0 || !out.unique || x.alone(i)
}

// alone reports whether no other operation has to be alone with the value that
// operation i was asked about.
func (x *columnBuilder) alone(i int) bool {
	j := &x.u.users[x.c.asked[i]]
	free := *j == 0
	*j = int32(i) + 1
	return free
}

// columns returns those of the whole log; false if the procedure does not
// decide it.
func (x *columnBuilder) columns() (*columns, bool) {
	c := x.c
	for i, ret := range c.ret {
		if m := x.of[i]; ret == never && m.args == 1 && m.unique && !x.alone(i) {
			return nil, false
		}
	}
	c.events, c.values, c.priority = x.events, int32(len(x.u.users)), x.u.priorities
	return c, x.u.err == nil
}
