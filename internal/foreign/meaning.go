package foreign

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// meaning is what of a method decides the meaning of its records.
type meaning struct {
	known   bool // a signature has it
	args    int  // that a value holds: all but the key
	options int  // so many of them may be left out
	yes, no bool // it has the outcome true, false
	null    bool // it has the outcome nil
	some    int  // values of the outcome value; -1: it has no such outcome
	read    bool // it changes nothing
	cas     bool
}

// meaning is that of an invocation's method. A keyed and an unkeyed use of a method in one
// file are told apart by neither: the first one counts.
func (a *assembler) meaning(e *entry) *meaning {
	if a.kinds[e.method] == nil {
		a.kinds[e.method] = a.newMeaning(e)
	}
	return a.kinds[e.method]
}

func (a *assembler) newMeaning(e *entry) *meaning {
	name, keyed := a.names[e.method], e.key >= 0 && !a.o.ByKey
	m := &meaning{some: -1, cas: isCAS(name), read: isRead(name, keyed)}
	sig, known := a.methods.Method(name)
	if !known {
		return m
	}
	m.known, m.args, m.options = true, sig.Args, sig.Optional
	if keyed {
		m.args = max(0, m.args-1)
	}
	m.read = isRead(sig.Name, keyed) && m.args == 0 // an alias says nothing: what a log calls read may be a remove
	for _, o := range sig.Outcomes {
		switch o.Outcome {
		case history.True:
			m.yes = true
		case history.False:
			m.no = true
		case history.Nil:
			m.null = true
		case history.Some:
			m.some = o.Rets
		}
	}
	m.read = m.read && m.some > 0
	return m
}

// happened reports whether an operation is part of the history. These are not:
//
//   - what failed, unless it answered false;
//   - a read of which nobody knows what was read: it is pending, or read nil and nil says nothing. A read changes
//     nothing and can be done in any state, so that a history has a linearization with it if and only if it has
//     one without it.
//
// Nothing else is left out: a pending dequeue may have taken an element. Names tell what reads, as a signature does
// not; of what is not known to be a read, an operation without an answer is pending, which allows all it may have done.
func (a *assembler) happened(e *entry) bool {
	m := a.meaning(e)
	if e.mate < 0 {
		return !m.read
	}
	if a.told {
		return true
	}
	switch done := &a.entries[e.mate]; done.kind {
	case fail:
		return a.saysFalse(m)
	case info:
		return !m.read
	default:
		return !m.read || done.value > null || a.o.NilIsUnset
	}
}

// saysFalse reports whether an operation that failed answered false.
func (a *assembler) saysFalse(m *meaning) bool {
	return a.o.FailedIsFalse && (m.no || !m.known && m.cas)
}

// arguments appends those of an invocation.
func (a *assembler) arguments(values []history.Value, e *entry) []history.Value {
	m := a.meaning(e)
	if e.key >= 0 && !a.o.ByKey {
		values = append(values, history.Value(a.names[e.key]))
	}
	if a.told {
		return a.toldArguments(values, m, e)
	}
	e = a.source(m, e)
	switch {
	case !m.known:
		switch {
		case e.value <= null || m.read:
			return values
		case e.value == vector && m.cas:
			return a.partsOf(values, e)
		}
		return append(values, a.text(e))
	case m.args == 0, e.value == absent, e.value == null && m.options > 0:
		return values
	case m.args > 1 && e.value == vector:
		return a.partsOf(values, e)
	}
	return append(values, a.text(e))
}

// source is which of an operation's records has its arguments. The completion's value counts where it can only be that:
// the operation succeeded, its method answers no value, and what it completed with has the shape of arguments.
func (a *assembler) source(m *meaning, e *entry) *entry {
	if e.mate < 0 || m.args == 0 {
		return e
	}
	done := &a.entries[e.mate]
	if done.kind != ok || m.some >= 0 || done.value <= null || done.value == boolean || done.value == word {
		return e
	}
	if m.args > 1 && (done.value != vector || int(done.parts) != m.args) {
		return e
	}
	return done
}

// answer puts in what an operation answered. It reports false if nobody knows: then the operation stays pending.
func (a *assembler) answer(x *history.Event, inv, done *entry) bool {
	m := a.meaning(inv)
	if done.kind == fail {
		x.Outcome = history.False
		return true
	}
	if a.told {
		a.toldAnswer(x, m, inv, done)
		return true
	}
	if !m.known {
		a.guess(x, m, inv, done)
		return true
	}
	switch {
	case done.value == boolean && a.text(done) == "true" && m.yes:
		x.Outcome = history.True
	case done.value == boolean && a.text(done) == "false" && m.no:
		x.Outcome = history.False
	case m.some >= 0:
		return a.returned(x, m, done)
	case m.null && (done.value == null || done.value == absent && !m.yes || done.value == word && isNilWord(a.text(done))):
		x.Outcome = history.Nil
	case m.yes:
		x.Outcome = history.True
	default:
		x.Outcome = history.None
	}
	return true
}

// returned puts in what a method answered that has values to answer.
func (a *assembler) returned(x *history.Event, m *meaning, done *entry) bool {
	nothing := done.value <= null || done.value == word && isNilWord(a.text(done))
	switch {
	case nothing && m.null:
		x.Outcome = history.Nil
	case done.value <= null && !m.read:
		return false
	case m.some == 0:
		x.Outcome = history.Some
	case m.some > 1 && done.value == vector:
		x.Outcome, x.Values = history.Some, a.partsOf(x.Values, done)
	default:
		x.Outcome, x.Values = history.Some, append(x.Values, a.text(done))
	}
	return true
}

// guess puts in an answer of which only the file tells: a completion's value, if the invocation had none. Nil, booleans
// and words stay words, which a theory makes outcomes or values later.
func (a *assembler) guess(x *history.Event, m *meaning, inv, done *entry) {
	given := inv.value > null && !m.read
	switch {
	case done.value == boolean && (given || !m.read):
		x.Outcome = history.Outcome(a.text(done))
	case m.cas:
		x.Outcome = history.True
	case given, done.value <= null && !m.read && !a.answers[done.method]:
		x.Outcome = history.None
	case done.value <= null, done.value == word && isNilWord(a.text(done)):
		x.Outcome, x.Values = history.Pending, append(x.Values, a.text(done))
	default:
		x.Outcome, x.Values = history.Some, append(x.Values, a.text(done))
	}
}

// isNilWord reports whether a keyword says that nothing was there.
func isNilWord(word history.Value) bool {
	return slices.Contains([]history.Value{"nil", "null", "empty", "none", "not-found", "missing"}, word)
}
