package columns

import "github.com/adtinfer/adtinfer/history"

// Builder makes columns of the events of a log as they come. It is a
// history.Visitor, and refuses what has to be read with more care.
type Builder struct {
	methods []*Method // by number; nil if the theory does not have it
	of      []uint16  // by operation: the number of its method
	events  int32
	c       *Columns
	u       numbering
}

// NewBuilder makes room for about so many operations.
func NewBuilder(r *Reader, sig history.Signature, ops int) *Builder {
	x := &Builder{of: make([]uint16, 0, ops), c: New(ops), u: newNumbering(r, ops)}
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
	x.of = append(x.of, uint16(n))
	return true
}

// Return takes a return.
func (x *Builder) Return(i int, o history.Outcome, rets []string) bool {
	m := x.methods[x.of[i]]
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
	return m.Args == 0 || !out.Unique || x.alone(i)
}

// alone reports whether no other operation has to be alone with the value that
// operation i was asked about.
func (x *Builder) alone(i int) bool {
	j := &x.u.users[x.c.Asked[i]]
	free := *j == 0
	*j = int32(i) + 1
	return free
}

// Columns returns those of the whole log; false if the procedure does not
// decide it.
func (x *Builder) Columns() (*Columns, bool) {
	c := x.c
	for i, ret := range c.Ret {
		if m := x.methods[x.of[i]]; ret == Never && m.Args == 1 && m.Unique && !x.alone(i) {
			return nil, false
		}
	}
	c.Events, c.Values, c.Priority = x.events, int32(len(x.u.users)), x.u.priorities
	return c, x.u.err == nil
}
