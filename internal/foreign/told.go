package foreign

import "github.com/adtinfer/adtinfer/history"

// The formats that LiMo, FPTLin and their like write say which values are arguments and which
// are answers, so that less has to be guessed than of Jepsen's.

// carried reports whether an invocation holds what a method without arguments will answer, as in
// LiMo's [1] call read(7).
func (a *assembler) carried(m *meaning, inv *entry) bool {
	return inv.value > null && m.read
}

// toldArguments appends those of an invocation.
func (a *assembler) toldArguments(values []history.Value, m *meaning, inv *entry) []history.Value {
	if a.carried(m, inv) {
		return values
	}
	return a.toldValues(values, inv)
}

// toldValues appends those of an entry.
func (a *assembler) toldValues(values []history.Value, e *entry) []history.Value {
	switch {
	case e.value <= null:
		return values
	case e.value == vector:
		return a.partsOf(values, e)
	}
	return append(values, a.text(e))
}

// toldAnswer puts in what an operation answered. One that answered nothing found nothing, if its method may.
func (a *assembler) toldAnswer(x *history.Event, m *meaning, inv, done *entry) {
	if done.value == absent && a.carried(m, inv) {
		done = inv
	}
	mayFind := m.sig != nil && m.null || m.sig == nil && a.answers[inv.method] && inv.value == absent
	switch {
	case done.value == null, done.value == absent && mayFind:
		x.Outcome = history.Nil
	case done.value == absent:
		x.Outcome = history.None
	case done.value == boolean && (m.sig == nil || m.yes || m.no):
		x.Outcome = history.Outcome(a.text(done))
	case m.sig != nil: // the words are those of a text log
		x.Values = a.toldValues(x.Values, done)
	default:
		x.Outcome, x.Values = history.Some, a.toldValues(x.Values, done)
	}
}
