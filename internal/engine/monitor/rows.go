package monitor

import (
	"github.com/adtinfer/adtinfer/history"
)

// rows makes columns of the events of a log as they come. It is a
// history.Visitor. What the procedure does not decide, read says more of.
type rows struct {
	methods []*method // by number; nil if they are none of the theory's
	of      []*method // by operation
	events  int32
	c       *columns
	u       numbering
}

func newRows(r *reader, sig history.Signature, ops int) *rows {
	x := &rows{
		of: make([]*method, 0, ops),
		c: &columns{
			role: make([]role, 0, ops), open: make([]role, 0, ops), kind: make([]uint8, 0, ops),
			value: make([]int32, 0, ops), asked: make([]int32, 0, ops),
			call: make([]int32, 0, ops), ret: make([]int32, 0, ops),
		},
		u: numbering{priority: r.priority, small: make([]int32, 2*ops+16), rest: map[history.Value]int32{}},
	}
	for _, m := range sig.Methods() {
		x.methods = append(x.methods, r.methods[m.Name])
	}
	return x
}

// Call takes a call.
func (x *rows) Call(n int, args []string) bool {
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
func (x *rows) Return(i int, o history.Outcome, rets []string) bool {
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
	case out.fromIn:
		c.value[i] = asked
	default:
		c.value[i] = x.u.number(history.Value(rets[0]))
	}
	return m.args == 0 || !out.unique || x.alone(i)
}

// answer is what an operation does that had an outcome with n values.
func (m *method) answer(o history.Outcome, n int) *outcome {
	for i := range m.outcomes {
		if out := &m.outcomes[i]; out.Outcome == o && out.rets == n {
			return out
		}
	}
	return nil
}

// alone tells whether no other operation has to be alone with the value that
// operation i was asked about.
func (x *rows) alone(i int) bool {
	j := x.u.user(x.c.asked[i])
	free := *j == 0
	*j = int32(i) + 1
	return free
}

// columns are those of the whole log; false if the procedure does not decide it.
func (x *rows) columns() (*columns, bool) {
	c := x.c
	for i, ret := range c.ret {
		if m := x.of[i]; ret == never && m.args == 1 && m.unique && !x.alone(i) {
			return nil, false
		}
	}
	c.events, c.values, c.priority = x.events, int32(len(x.u.users)), x.u.priorities
	return c, x.u.err == nil
}

// Accepts tells whether a log is that of a linearizable execution, deciding it
// without an execution in between: visit hands out its events, about so many
// operations', by Reader.Visit of package history. It says no as well if visit does,
// and if the log has to be read as a whole, by Reader.Execution. Ops and events
// count what was read.
func (m *Monitor) Accepts(sig history.Signature, about int, visit func(history.Visitor) bool) (ops, events int, ok bool) {
	x := newRows(m.reader, sig, about)
	if !visit(x) {
		return 0, 0, false
	}
	c, ok := x.columns()
	if !ok {
		return 0, 0, false
	}
	a, _ := m.shape.new().decide(c, c.events)
	return len(c.call), int(c.events), a == linearizable
}
