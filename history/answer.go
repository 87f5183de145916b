package history

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// This file reads what a call returned: by the name of an outcome, or all results as Go has
// them, of which the last ones, a bool, an error or nil, tell the outcome. Results before
// these are values, or what always stands there; others are an answer that no call has, which
// stays in the label for the checker.

// unknownValue is what a log writes, without quotes, for a returned value that nobody knows.
const unknownValue = "_"

func (r *raw) isUnknown() bool {
	return len(r.text) == 1 && r.text == unknownValue && !r.quoted && !r.isText
}

// isUnknown reports whether nobody knows anything of what a call returned.
func (e *event) isUnknown() bool { return len(e.values) == 1 && e.values[0].isUnknown() }

func (e *event) hasUnknown() bool {
	for i := range e.values {
		if e.values[i].isUnknown() {
			return true
		}
	}
	return false
}

// asInGo reads all results of a call as Go has them: the values, whether there are any, and
// an error or nil: 7, true; "", false, error: closed. It leaves the values that the outcome
// carries. An outcome that carries none has values only if it never comes with these, so
// that no call has the answer.
func (e *event) asInGo(sig *MethodSig) (o Outcome, ok bool, err error) {
	some, has := sig.outcome(Some)
	n := len(e.values) - 1
	if n < some.Rets || n > some.Rets+1 || e.values[n].isValue() {
		return "", false, nil
	}
	if o, ok = sig.ending(e.values[some.Rets:], has); !ok || o == unknownAnswer {
		return o, ok, nil
	}
	if o == Some && isNilWord(e.values[n].text) && sig.find(Nil) != nil && sig.isNilAlone(e.values[:n]) {
		o = Nil
	}
	out, ok := sig.outcome(o)
	beside := e.values[:n]
	if o == Some || o == Nil {
		beside = e.values[:some.Rets]
	}
	switch {
	case !ok || out.Rets != 0 && out.Rets != len(beside):
		return "", false, nil
	case out.Rets > 0:
		e.values = beside
		return o, true, nil
	case o != Nil && !wording.IsError(string(o)):
		e.values = beside[:0]
		return o, true, nil
	}
	never, err := e.never(sig, out, beside)
	if e.values = beside; !never {
		e.values = beside[:0]
	}
	return out.Outcome, err == nil, err
}

// isNilAlone reports whether the values of a call are one nil.
func (m *MethodSig) isNilAlone(vs []raw) bool {
	if len(vs) == 1 {
		return isNilWord(vs[0].text) && !vs[0].isValue()
	}
	return len(m.Structs) == 1 && !slices.ContainsFunc(vs, func(v raw) bool { return !v.isNull() })
}

// withMore is an outcome by its name, with values behind it that never come with it: -, 7.
func (e *event) withMore(sig *MethodSig, values []raw) (o Outcome, ok bool, err error) {
	if len(values) < 2 {
		return "", false, nil
	}
	out, ok := sig.named(values[0])
	some, _ := sig.outcome(Some)
	more := values[1:]
	if n := len(more) - some.Rets; !ok || out.Rets > 0 || out.Outcome != Nil && !wording.IsError(string(out.Outcome)) ||
		n != 0 && (n != 1 || !isBool(more[some.Rets].text)) {
		return "", false, nil
	}
	ok, err = e.never(sig, out, more)
	return out.Outcome, ok, err
}

// never reports whether the results never stand beside an outcome. Those that are no values,
// and texts that may mean what always stands there, are refused.
func (e *event) never(sig *MethodSig, out OutcomeSig, beside []raw) (bool, error) {
	i := sig.unusual(out, beside)
	if i < 0 {
		return false, nil
	}
	for k := range beside {
		v := &beside[k]
		b, known := sig.typeOf(true, k)
		if !known {
			v.text = usualBool(v.text)
		}
		switch {
		case known && !isOf(b, b.OfNil(v.text)):
			return false, errorAt(e.at(e.valuesAt), "the log has %s where %s answers with %s", v, sig.Name, typename.Of(*b))
		case !known && k == i && (strings.ContainsAny(v.text[:min(1, len(v.text))], "[{&<(") || strings.HasPrefix(v.text, "map[")):
			return false, errorAt(e.at(e.valuesAt), "method %s returned %s beside %s, and whether that always stands there the specification does not say without types: --ref names a reference, which knows them",
				sig.Name, v, out.Outcome)
		}
	}
	return true, nil
}

// neverSeen is an outcome that a method does not have, though its results could be that: false where it has true
// alone, or the name of an error where it has others. The checker decides what that means.
func (e *event) neverSeen(sig *MethodSig) (o Outcome, named int, ok bool) {
	n := len(e.values)
	if n == 0 {
		return "", 0, false
	}
	var known []Outcome
	for i := range sig.Outcomes {
		known = append(known, sig.Outcomes[i].Outcome)
	}
	first, last := &e.values[0], &e.values[n-1]
	if text := usualBool(first.text); (n == 1 || first.outcome) && !first.isValue() && wording.Fits(known, Outcome(text)) {
		return Outcome(text), 1, true
	}
	some, _ := sig.outcome(Some)
	if any, fails := sig.outcome(Error); fails && any.Rets == 0 && n == 1 && !first.isValue() && wording.IsError(first.text) && wording.IsOutcomeName(first.text) {
		return any.Outcome, 1, true
	}
	if o = Outcome(last.text); last.isValue() || strings.Contains(last.text, ":") || n > some.Rets+1 || !wording.Fits(known, o) {
		return "", 0, false
	}
	if e.values = e.values[:n-1]; sig.unusual(OutcomeSig{}, e.values) < 0 {
		e.values = nil
	}
	return o, 0, true
}

// ending is the outcome of a call by the results behind the values: a bool, an error or nil,
// or both. has: there may be values.
func (m *MethodSig) ending(rest []raw, has bool) (o Outcome, ok bool) {
	_, fails := m.failed(string(Error))
	if o = None; has {
		o = Some
	}
	if b := usualBool(rest[0].text); isBool(b) && (len(rest) == 2 || !fails) {
		switch rest = rest[1:]; {
		case !has:
			o = Outcome(b)
		case b == "false":
			o = Nil
		}
	}
	switch {
	case len(rest) == 0:
		return o, true
	case len(rest) == 2 || !fails:
		return o, has && len(rest) == 1 && isNull(rest[0].text) // of an error that never came
	}
	switch last := rest[0].text; {
	case !isNull(last) && last != "-" && m.hasError(last): // which may be that error, or, of empty, none
		return "", false
	case isNilWord(last):
		return o, true
	case last == string(Error) || strings.HasPrefix(last, "error:"):
		failed, _ := m.failed(last)
		return failed.Outcome, true
	case wording.IsError(last):
		if any, fails := m.outcome(Error); fails && m.find(Outcome(last)) == nil {
			return any.Outcome, true
		}
		return Outcome(last), true
	}
	return "", false
}

// hasError reports whether a text is what an error of the method says. Logs have error: in front of it; a bare word may be a
// value, and in JSON would be one.
func (m *MethodSig) hasError(text string) bool {
	return text != "" && slices.ContainsFunc(m.Outcomes, func(o OutcomeSig) bool { return o.Error == text })
}

// unusual is the first result that is not what always stands beside the outcome, or -1. Types
// do not say which results are pointers, and nothing but these could be nil: nil is zero.
func (m *MethodSig) unusual(out OutcomeSig, beside []raw) int {
	out.Beside = m.fields(out.Beside)
	for i, v := range beside {
		switch {
		case v.isNull() && (i >= len(out.Beside) || m.isZero(i, out.Beside[i])):
		case i >= len(out.Beside):
			if !m.isZero(i, v.text) {
				return i
			}
		case v.text != out.Beside[i]:
			text, known, err := m.read(true, i, v.text)
			if err != nil || known && text != out.Beside[i] || !known && !isAlike(text, out.Beside[i]) {
				return i
			}
		}
	}
	return -1
}

// isZero reports whether a text is that of a zero value of result i.
func (m *MethodSig) isZero(i int, text string) bool {
	if b, known := m.typeOf(true, i); known {
		return b.IsZero(text)
	}
	return isZero(text)
}

// isNamedNil reports whether nil and another value are the outcome nil with what it carries,
// and not a value that is nil, and true or false: - is never a value, and only some types
// have true.
func (e *event) isNamedNil(sig *MethodSig) bool {
	first, flag := &e.values[0], &e.values[1]
	if first.outcome || first.text == "-" || first.text == "empty" || !isBool(flag.text) || flag.isValue() {
		return true
	}
	b, known := sig.typeOf(true, 0)
	if !known {
		return false
	}
	_, nilable := b.Nilable()
	return !nilable && !b.Nil && isOf(b, flag.text)
}

// isZero reports whether a text is that of a zero value of some type.
func isZero(text string) bool {
	return text == "" || strings.Trim(text, "{}[] 0") == "" || isNilWord(text) || isAlike(text, "0") || isAlike(text, "false") ||
		text == "0s" || text == "map[]" || strings.HasPrefix(text, "0001-01-01")
}

// isAlike reports whether two texts are one truth value, or one number.
func isAlike(a, b string) bool {
	x, bad := strconv.ParseFloat(a, 64)
	y, worse := strconv.ParseFloat(b, 64)
	if bad != nil || worse != nil {
		return usualBool(a) == usualBool(b)
	}
	return x == y && (a == b || !wording.IsInteger(a) || !wording.IsInteger(b)) // floats are no exact integers
}

// isBool reports whether a text is a truth value.
func isBool(text string) bool { return usualBool(text) == "true" || usualBool(text) == "false" }

// usualBool is the text with a truth value in the way in which Go prints it.
func usualBool(text string) string { return cmp.Or(wording.Bool(text), text) }
