package history

import (
	"cmp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// jsonFields are the fields of an event, and those of a head.
var jsonFields = [...]string{"op", "event", "method", "args", "rets", "outcome", "word", "process", "time", "object", "format", "error", "unknown"}

// otherField is the place of a field of somebody else's.
const otherField = -1

// The places of jsonFields.
const (
	opField = iota
	eventField
	methodField
	argsField
	retsField
	outcomeField
	wordField
	processField
	timeField   // also in a head: the unit of times
	objectField // also in a head: of all events that say none
	formatField // only in a head
	errorField  // from openFormat on
	unknownField
)

// jsonLine reads a line of a JSON Lines log.
type jsonLine struct {
	*lines
	cursor

	// Of each, what counts if seen says that the field was there.
	event, object, format string
	outcome, word, unit   string
	failure               string                 // the error that a call returned
	stringFirst           bool                   // the first of the values is a string
	fields                int                    // number of fields seen
	foreign               int                    // of these, unknown ones
	seen                  [len(jsonFields)]int32 // where each field's name is, if it was seen; else 0
	others                []otherName            // that look like misspellings
}

// read reads an event, or a head; then ok is false.
func (j *jsonLine) read() (ok bool, err error) {
	if j.line[j.at] != '{' {
		return false, errorAt(j.e.pos, "expected a JSON object, as on the first line")
	}
	j.fields, j.foreign, j.stringFirst = 0, 0, false
	clear(j.seen[:])
	if err := j.readObject(); err != nil {
		return false, err
	}
	if len(j.others) > 0 {
		if err := j.misspelt(); err != nil {
			return false, err
		}
	}
	if j.seen[opField]|j.seen[eventField] == 0 || j.seen[formatField] != 0 {
		return false, j.head()
	}
	if err := j.check(); err != nil {
		return false, err
	}
	j.began = true
	return true, nil
}

func (j *jsonLine) readObject() error {
	if len(j.others) > 0 {
		j.others = j.others[:0]
	}
	j.at++
	for j.next() != '}' || j.fields > 0 {
		if err := j.readField(); err != nil {
			return err
		}
		if c := j.next(); c == '}' {
			break
		} else if c != ',' {
			return j.syntax()
		}
		j.at++
	}
	j.at++
	if c := j.next(); c != '\n' && j.at < len(j.line) || j.more && j.at == len(j.line) {
		return errorAt(j.e.at(j.at), "a line has one JSON object")
	}
	return nil
}

// readField reads a field, name and all.
func (j *jsonLine) readField() (err error) {
	start := j.at
	f, err := j.readName()
	if err != nil {
		return err
	}
	j.fields++
	if j.next() != ':' {
		return j.syntax()
	}
	j.at++
	j.next()
	if f == otherField {
		j.foreign++
		return j.skip()
	}
	name := jsonFields[f]
	if j.seen[f] != 0 {
		return errorAt(j.e.at(start), "field %q comes twice", name)
	}
	j.seen[f] = int32(start)
	switch f {
	case opField:
		err = j.id(name)
	case eventField:
		err = j.eventName(name)
	case methodField:
		j.e.method, err = j.text(name)
	case processField:
		j.e.process, err = j.text(name)
	case objectField:
		j.object, err = j.text(name)
	case formatField:
		j.format, err = j.number(name)
	case outcomeField:
		j.outcome, err = j.outcomeName()
	case wordField:
		j.word, err = j.text(name)
	case timeField:
		err = j.time(name)
	case errorField:
		j.failure, err = j.errorText(start)
	case unknownField:
		if kind, _ := j.token(); kind != 't' {
			err = errorAt(j.e.at(start), `field "unknown" is true, where nobody knows what a call returned`)
		}
	case argsField, retsField: // not both: check sees to that
		err = j.values(name)
	}
	return err
}

// readName reads the name of a field.
func (j *jsonLine) readName() (field int, err error) {
	rest := j.line[j.at:]
	switch { // faster than a loop
	case strings.HasPrefix(rest, `"op"`):
		field = opField
	case strings.HasPrefix(rest, `"event"`):
		field = eventField
	case strings.HasPrefix(rest, `"method"`):
		field = methodField
	case strings.HasPrefix(rest, `"args"`):
		field = argsField
	case strings.HasPrefix(rest, `"rets"`):
		field = retsField
	case strings.HasPrefix(rest, `"outcome"`):
		field = outcomeField
	case strings.HasPrefix(rest, `"process"`):
		field = processField
	case strings.HasPrefix(rest, `"time"`):
		field = timeField
	default:
		return j.otherName()
	}
	j.at += len(jsonFields[field]) + len(`""`)
	return field, nil
}

// otherName reads the name of a field that is seldom there, is written with
// escapes, or is unknown.
func (j *jsonLine) otherName() (field int, err error) {
	start := j.at
	kind, name := j.token()
	if kind != '"' {
		return 0, j.syntax()
	}
	known := jsonFields[:]
	if !j.open {
		known = known[:unknownField]
	}
	if i := slices.Index(known, name); i >= 0 {
		return i, nil
	}
	if like := wording.Nearest(name, known); like != "" {
		j.others = append(j.others, otherName{name, slices.Index(jsonFields[:], like), start})
	}
	return otherField, nil
}

// text is a string that is not empty, or a number as written.
func (j *jsonLine) text(field string) (string, error) {
	start := j.at
	switch kind, text := j.token(); {
	case kind == 0 || kind == '"' && text != "":
		return text, nil
	case kind == 'x':
		return "", j.syntax()
	}
	return "", errorAt(j.e.at(start), "field %q is a string that is not empty, or a number", field)
}

// id is the identifier of the operation, mostly a number.
func (j *jsonLine) id(field string) (err error) {
	text, n := j.digits()
	if 0 < len(text) && len(text) <= maxDigits {
		j.e.op, j.e.number = text, int(n)
		return nil
	}
	if text == "" {
		text, err = j.text(field)
	}
	j.e.op, j.e.number = text, numberOf(text)
	return err
}

// eventName is "call" or "return", or what stands there instead.
func (j *jsonLine) eventName(field string) (err error) {
	switch rest := j.line[j.at:]; {
	case strings.HasPrefix(rest, `"call"`):
		j.event = "call"
		j.at += len(`"call"`)
	case strings.HasPrefix(rest, `"return"`):
		j.event = "return"
		j.at += len(`"return"`)
	default:
		j.event, err = j.text(field)
	}
	return err
}

// time is the time of the event, mostly a whole number.
func (j *jsonLine) time(field string) error {
	if text, n := j.digits(); text != "" {
		j.e.time = stamp{text, n, true}
		return nil
	}
	if j.peek() == '"' {
		_, j.unit = j.token()
		return nil
	}
	text, err := j.number(field)
	j.e.time = newStamp(text)
	return err
}

func (j *jsonLine) number(field string) (string, error) {
	start := j.at
	switch kind, text := j.token(); kind {
	case 0:
		return text, nil
	case 'x':
		return "", j.syntax()
	}
	return "", errorAt(j.e.at(start), "field %q is a number", field)
}

// outcomeName is the name of an outcome; null is the nil outcome.
func (j *jsonLine) outcomeName() (string, error) {
	start := j.at
	switch kind, text := j.token(); {
	case kind == '"' && couldName(text):
		return text, nil
	case kind == 'n':
		return string(Nil), nil
	case kind == 'x':
		return "", j.syntax()
	}
	return "", errorAt(j.e.at(start), `field "outcome" is the name of an outcome, such as "nil"; values are in "rets"`)
}

// errorText is the text of an error; null is none.
func (j *jsonLine) errorText(field int) (string, error) {
	start := j.at
	switch kind, text := j.token(); kind {
	case '"':
		return text, nil
	case 'n':
		j.seen[errorField] = 0
		return "", nil
	case 'x':
		return "", j.syntax()
	}
	return "", errorAt(j.e.at(start), `field "error" is the text of an error, or null`)
}

// head takes a line without an event, which says what the log is.
func (j *jsonLine) head() error {
	object, format, unit := int(j.seen[objectField]), int(j.seen[formatField]), int(j.seen[timeField])
	for i, at := range j.seen {
		if i >= timeField && i < errorField {
			continue
		}
		switch {
		case at != 0 && format != 0:
			return errorAt(j.e.at(format), `"format" stands on a line of its own`)
		case at != 0:
			return errorAt(j.e.pos, "field %q is missing", jsonFields[opField])
		}
	}
	if object|format|unit == 0 {
		known := jsonFields[:]
		if !j.open {
			known = known[:unknownField]
		}
		return errorAt(j.e.pos, "field %q is missing; the fields are %s", jsonFields[opField], strings.Join(known, ", "))
	}
	if format != 0 {
		if err := j.setFormat(j.format, j.e.at(format)); err != nil {
			return err
		}
	}
	if unit != 0 {
		if j.e.time.text != "" {
			return errorAt(j.e.at(unit), `"time" on a line without an event is the unit of times: %s`, unitNames)
		}
		if err := j.setUnit(j.unit, j.e.at(unit)); err != nil {
			return err
		}
	}
	if object != 0 {
		return j.setObject(j.object, j.e.at(object))
	}
	return nil
}

// check looks at what the fields say together.
func (j *jsonLine) check() error {
	e := j.e
	if j.seen[opField] == 0 || j.seen[eventField] == 0 {
		missing := eventField
		if j.seen[opField] == 0 {
			missing = opField
		}
		return errorAt(e.pos, "field %q is missing", jsonFields[missing])
	}
	if at := j.seen[timeField]; at != 0 && e.time.text == "" {
		return errorAt(e.at(int(at)), `field "time" is a number; on the first line, its unit`)
	}
	if j.seen[objectField] != 0 {
		e.object = j.object
	}
	if err := j.naming.see(e); err != nil {
		return err
	}
	other := retsField
	switch j.event {
	case "call":
		e.call = true
	case "return":
		other = argsField
	default:
		return errorAt(e.at(int(j.seen[eventField])), `"event" is "call" or "return", not %q%s`, j.event, wording.Hint(j.event, []string{"call", "return"}))
	}
	if at := j.seen[other]; at != 0 {
		return errorAt(e.at(int(at)), "a %s has no %q", j.event, jsonFields[other])
	}
	e.methodAt = int(j.seen[methodField])
	e.valuesAt = int(cmp.Or(j.seen[argsField], j.seen[outcomeField], j.seen[wordField], j.seen[retsField]))
	if !e.call {
		return j.answer()
	}
	if at := j.seen[outcomeField]; at != 0 {
		return errorAt(e.at(int(at)), `a call has no "outcome"`)
	}
	if at := j.seen[wordField]; at != 0 {
		return errorAt(e.at(int(at)), `a call has no "word"`)
	}
	for _, f := range []int{errorField, unknownField} {
		if at := j.seen[f]; at != 0 {
			return errorAt(e.at(int(at)), "a call has no %q", jsonFields[f])
		}
	}
	if e.hasUnknown() {
		return errorAt(e.at(e.valuesAt), `{"unknown": true} is an answer that nobody knows; arguments are known`)
	}
	if e.method == "" {
		return errorAt(e.pos, `field "method" is missing`)
	}
	j.passed(e.values)
	return nil
}

// answer puts together what a return says of its outcome and values.
func (j *jsonLine) answer() error {
	e, outcome, word := j.e, j.seen[outcomeField], j.seen[wordField]
	failed, unknown := j.seen[errorField], j.seen[unknownField]
	first := raw{text: j.outcome, outcome: true}
	switch {
	case unknown != 0 && outcome|word|failed|j.seen[retsField] != 0, failed != 0 && outcome != 0:
		return errorAt(e.pos, `a return has either "unknown", or an "outcome", or an "error" and the values beside it in "rets"`)
	case unknown != 0:
		e.values = append(e.values, raw{text: unknownValue})
		return nil
	case failed != 0 && (word == 0 || couldName(j.word)):
		if j.stringFirst && word == 0 {
			j.returnedString(e)
		}
		failure := raw{text: string(Error)}
		if isErrorName(j.failure) {
			failure.text = j.failure
		} else if j.failure != "" {
			failure.text += ": " + j.failure
		}
		if e.values = append(e.values, failure); word != 0 {
			e.values = slices.Insert(e.values, 0, raw{text: j.word})
		}
		return nil
	case outcome == 0 && word == 0:
		if j.stringFirst {
			j.returnedString(e)
		}
		return nil
	case word != 0 && !couldName(j.word):
		return errorAt(e.at(int(word)), `field "word" is what may name an outcome in a text log; other values are in "rets"`)
	case word != 0 && outcome != 0 && j.word != j.outcome && !(isNilWord(j.word) && isNilWord(j.outcome)):
		return errorAt(e.at(int(word)), `"word" and "outcome" say different things`)
	case word != 0:
		first = raw{text: j.word}
	case j.outcome == string(None) && len(e.values) > 0:
		return errorAt(e.at(int(outcome)), `outcome "none" has no "rets"`)
	case j.outcome == string(Some) && len(e.values) == 0:
		return errorAt(e.at(int(outcome)), `outcome "value" has its values in "rets"`)
	}
	switch {
	case word == 0 && j.outcome == string(None):
	case word == 0 && j.outcome == string(Some):
		e.values[0].quoted = true
	default:
		e.values = slices.Insert(e.values, 0, first)
	}
	return nil
}
