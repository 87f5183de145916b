package batch

import "github.com/adtinfer/adtinfer/history"

// Builder makes columns of the events of a log as they come. It is a
// history.Visitor, and refuses what has to be read with more care.
type Builder struct {
	methods []*Method // by number; nil if the theory does not have it
	events  int32
	c       *Columns
	u       numbering
	alone   []bool // by value: an operation has to be alone with it
}

// NewBuilder makes room for about so many operations.
func NewBuilder(r *Reader, sig history.Signature, ops int) *Builder {
	x := &Builder{c: New(ops), u: newNumbering(r, ops), alone: make([]bool, 0, ops)}
	for _, m := range sig.Methods() {
		x.methods = append(x.methods, r.Methods[m.Name])
	}
	return x
}

// Call takes a call.
func (x *Builder) Call(n int, args []string) bool {
	m := x.methods[n]
	if m == nil || len(args) != m.Args {
		return false
	}
	x.events++
	o := Op{Value: -1, Open: m.Open, Kind: m.Kind, Asked: -1, Call: x.events, Ret: Never}
	if m.Args == 1 {
		o.Asked = x.u.number(history.Value(args[0]))
	}
	x.c.Push(o)
	return m.Args == 0 || !m.Unique || x.isAlone(o.Asked)
}

// Return takes a return.
func (x *Builder) Return(i, n int, o history.Outcome, rets []string) bool {
	m := x.methods[n]
	out := m.Answer(o, len(rets))
	if out == nil {
		return false
	}
	x.events++
	c, asked := x.c, x.c.Asked[i]
	c.Ret[i], c.Role[i] = x.events, out.Role
	switch {
	case out.Agree && asked != x.u.number(history.Value(rets[0])):
		return false
	case out.Role == Empty:
	case out.FromArg:
		c.Value[i] = asked
	default:
		c.Value[i] = x.u.number(history.Value(rets[0]))
	}
	return m.Args == 0 || m.Unique || !out.Unique || x.isAlone(asked)
}

// isAlone reports whether no other operation has to be alone with a value that one has
// to be alone with.
func (x *Builder) isAlone(v int32) bool {
	for int(v) >= len(x.alone) {
		x.alone = append(x.alone, false)
	}
	free := !x.alone[v]
	x.alone[v] = true
	return free
}

// Columns returns those of the whole log; false if the procedure does not
// decide it.
func (x *Builder) Columns() (*Columns, bool) {
	x.c.Events, x.c.Values, x.c.Priority = x.events, x.u.count, x.u.priorities
	return x.c, x.u.err == nil
}
