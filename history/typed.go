package history

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// This file reads values of which the form matters that a log has, and not their text alone:
// bytes that are a list or nil, and values of any type.

// formOf is the text of a value of a type, for which the way in which the log has it counts.
// The error ends a sentence that begins with the value.
func (r *resolver) formOf(b *values.Basic, v *raw, method string, result bool) (text string, err error) {
	switch {
	case b.Kind == values.KindAny && (v.inJSON || v.noText):
		return v.text, r.anyInJSON(v, method, result)
	case b.Kind != values.KindBytes:
	case v.isNull() && result:
		return "", nil // logs do not tell it from empty bytes
	case v.isNull():
		return "", fmt.Errorf("%s takes %s, and logs do not tell nil from empty bytes: write [] for these, and a text in quotes", method, typename.Of(*b))
	case v.noText && (v.text[0] == '[' || v.text[0] == '{'):
		var list []uint8
		var numbers []json.RawMessage
		if json.Unmarshal([]byte(v.text), &numbers) != nil {
			return "", fmt.Errorf("%s has %s", method, typename.Of(*b))
		}
		for _, n := range numbers {
			u, err := strconv.ParseUint(string(n), 10, 8)
			if err != nil {
				return "", fmt.Errorf("%s has %s", method, typename.Of(*b))
			}
			list = append(list, uint8(u))
		}
		return fmt.Sprint(list), nil
	}
	return v.text, nil
}

// anyInJSON refuses what may be two values of any type. Texts are its values, but for integers:
// of other JSON and nil, a log must not have the text as well, and a reference does not answer as
// JSON has it. (Our own JSON has nil as a text.)
func (r *resolver) anyInJSON(v *raw, method string, result bool) error {
	if _, err := strconv.Atoi(v.text); err == nil {
		if v.inJSON {
			return fmt.Errorf("%s has any value, and that text is not told from the value %s: record another text", method, v.text)
		}
		return nil
	}
	if r.given == nil || v.inJSON && !json.Valid([]byte(v.text)) && !isNull(v.text) {
		return nil
	}
	asText, seen := r.given[v.text]
	switch {
	case seen && asText != v.inJSON:
		return fmt.Errorf("%s has any value, and the log has the text as well as the value %s", method, v.text)
	case result && !seen && v.noText && strings.IndexByte("[{", v.text[0]) >= 0:
		return fmt.Errorf("%s has any value, and what no argument was cannot be compared as JSON: record it as package fmt prints it", method)
	case v.noText && isNull(v.text):
		r.given["nil"], r.given["null"] = false, false
	}
	r.given[strings.Clone(v.text)] = v.inJSON
	return nil
}

// noneInJSON has null in place of the last arguments, any number of which there may be, be
// none: encoding/json has it for a list that is nil. It is refused where one may be nil.
func (e *event) noneInJSON(sig *MethodSig) error {
	last := len(e.values) - 1
	if last != sig.Args-1 || !e.values[last].noText || !isNull(e.values[last].text) {
		return nil
	}
	list, known := sig.typeOf(false, last)
	nilable := !known || list.Elem == nil || list.Elem.Kind == values.KindBytes
	if !nilable {
		_, nilable = list.Elem.Nilable()
	}
	if nilable {
		return errorAt(e.at(e.valuesAt), "the last argument of %s is null, which may be none or one that is nil: write [] or [null]", sig.Name)
	}
	e.values = e.values[:last]
	return nil
}
