package history

// Calls hands calls and returns to a Visitor, for logs that tell by a number
// which operation returns: identifiers need no looking up. Its methods are false
// if the Visitor says no, or if something is wrong or unusual, as in Visit.
type Calls struct {
	w      visit
	worded []string // an answer with its word before it
}

// NewCalls starts with the first call of a log.
func NewCalls(sig Signature, v Visitor) *Calls { return &Calls{w: newVisit(sig, v)} }

// Len counts the calls so far.
func (c *Calls) Len() int { return len(c.w.methods) }

// Call takes a call of a method, by its name or an alias, by a process, if the
// log names it.
func (c *Calls) Call(method, process string, args []string) bool {
	m := c.w.index(method)
	return m >= 0 && c.w.calls(m, method, process, args)
}

// Return takes what operation op, counted from 0 in the order of calls, returned,
// in the words of a log; quoted and named are Quoted and Outcome of the first.
func (c *Calls) Return(op int, process string, rets []string, quoted, named bool) bool {
	if op < 0 || op >= c.Len() || len(rets) > maxPlain {
		return false
	}
	first := Raw{Quoted: quoted, Outcome: named}
	if len(rets) > 0 {
		first.Text = rets[0]
	}
	m := int(c.w.methods[op]) - 1
	return m >= 0 && c.w.returns(op, m, process, first, rets)
}

// Answer is Return with an outcome and the values that came with it.
func (c *Calls) Answer(op int, process string, o Outcome, values []string) bool {
	if o == None || o == Some {
		return c.Return(op, process, values, o == Some, false)
	}
	c.worded = append(append(c.worded[:0], string(o)), values...)
	return c.Return(op, process, c.worded, false, true)
}
