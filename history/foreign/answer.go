package foreign

import (
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// answer puts in what an operation answered.
func (a *assembler) answer(x *history.Event, inv, done *entry) {
	m := a.meaning(inv)
	if a.told {
		a.toldAnswer(x, m, inv, done)
		return
	}
	if m.sig == nil && done.kind != fail {
		a.guess(x, m, inv, done)
		return
	}
	switch done.says {
	case saysNothing:
		x.Outcome = history.None
	case saysWhole:
		x.Outcome, x.Values = history.Some, append(x.Values, a.typed(m.result, 0, done.value, string(a.text(done))))
	case saysParts:
		x.Outcome, x.Values = history.Some, a.results(x.Values, m, done)
	case saysLeaves:
		x.Outcome, x.Values = history.Some, a.parts(x.Values, done, m.some, m.leaf)
	case saysTuple:
		x.Whole = true
		x.Values = a.allOf(x.Values, m, done)
	case saysFailed:
		x.Values = append(x.Values, history.Value(m.errorText(a.errors[done.err-1])))
	case saysUnknown:
		if x.Unknown = "it completes with nil"; done.err > 0 {
			x.Unknown = "it completes with the error " + shorten(a.errors[done.err-1].text) + ", of which the method says nothing"
		} else if done.value > null {
			x.Unknown = "it completes with the value that it was invoked with; --answers says that this is its answer"
		}
	case saysNo:
		x.Outcome, x.Values = history.Some, append(x.Values, "false")
	case saysValue:
		x.Outcome = history.Some
	case saysNil:
		x.Outcome = history.Nil
	case saysTrue:
		x.Outcome = history.True
	case saysFalse:
		x.Outcome = history.False
	case saysNamed:
		x.Outcome = a.named[done.at]
	}
}

// results appends the values that the outcome value carries.
func (a *assembler) results(values []history.Value, m *meaning, done *entry) []history.Value {
	if m.whole == 1 && done.err > 0 {
		return append(values, a.typed(m.result, 0, done.value, string(a.text(done))))
	}
	return a.parts(values, done, m.whole, m.result)
}

// parts appends parts of a vector.
func (a *assembler) parts(vs []history.Value, done *entry, n int, types func(int) *values.Basic) []history.Value {
	for i := range n {
		at := int(done.first) + 1 + i
		vs = append(vs, a.typed(types, i, a.shapes[at], a.texts[at]))
	}
	return vs
}

// allOf appends all results.
func (a *assembler) allOf(values []history.Value, m *meaning, done *entry) []history.Value {
	last := ""
	if values = a.results(values, m, done); done.err > 0 {
		last = m.errorText(a.errors[done.err-1])
	} else if last = a.flag(m, done); int(done.parts) == max(m.whole, 0)+2 {
		values = append(values, history.Value(a.texts[done.first+done.parts-1]))
	}
	return append(values, history.Value(last))
}

// guess puts in an answer of which only the file tells: a completion's value, if the invocation had none. Nil, booleans
// and words stay words, which a theory makes outcomes or values later.
func (a *assembler) guess(x *history.Event, m *meaning, inv, done *entry) {
	given := inv.value > null && !m.read
	switch {
	case done.err > 0:
		x.Values = append(x.Values, history.Value("error: "+strings.TrimPrefix(a.errors[done.err-1].text, "error: ")))
	case done.value == boolean && (given || !m.read):
		x.Outcome = history.Outcome(a.text(done))
	case m.tries:
		x.Outcome = history.True
	case given, done.value <= null && !m.read && !a.answers[done.method]:
		x.Outcome = history.None
	case done.value <= null, done.value == word && isNilWord(a.text(done)):
		x.Outcome, x.Values = history.Pending, append(x.Values, a.text(done))
	default:
		x.Outcome, x.Values = history.Some, append(x.Values, a.text(done))
	}
}
