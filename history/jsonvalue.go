package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unsafe"
)

// values reads an array of values, or null, which Go writes for a list of none.
func (j *jsonLine) values(field string) error {
	start := j.at
	switch kind, _ := j.token(); kind {
	case '[':
	case 'n':
		j.e.values = j.e.values[:0]
		return nil
	case 'x':
		return j.syntax()
	default:
		return errorAt(j.e.at(start), "field %q is an array of values", field)
	}
	j.e.values = j.e.values[:0]
	for j.next() != ']' || len(j.e.values) > 0 {
		if err := j.value(); err != nil {
			return err
		}
		if c := j.next(); c == ']' {
			break
		} else if c != ',' {
			return j.syntax()
		}
		j.at++
	}
	j.at++
	return nil
}

// value reads a string, number, boolean or null; an object for a text that is not
// UTF-8; or any other object or array, whose text is its JSON, without blanks and with
// sorted names.
func (j *jsonLine) value() (err error) {
	start := j.at
	kind, text := j.token()
	isString := kind == '"'
	var v raw
	switch {
	case isString:
		v.text = text
	case kind == 'n':
		v.text = string(Nil)
	case kind == 'x':
		err = j.syntax()
	case kind == '{' || kind == '[':
		j.at = start
		v, isString, err = j.structured()
	default:
		v.text = text
	}
	if len(j.e.values) == 0 {
		j.stringFirst = isString
	}
	v.isText, v.inJSON, v.noText = isString, kind == '"', !isString && !v.isUnknown()
	j.e.values = append(j.e.values, v)
	return err
}

// structured reads an object or array. One like {"base64": "..."} is a text.
func (j *jsonLine) structured() (v raw, isText bool, err error) {
	start := j.at
	text, err := j.nested()
	if err != nil {
		return raw{}, false, err
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return raw{}, false, errorAt(j.e.at(start), "not JSON: %v", err)
	}
	if object, ok := value.(map[string]any); ok && len(object) == 1 && object["base64"] != nil {
		s, _ := object["base64"].(string)
		b, err := base64.StdEncoding.Strict().DecodeString(s)
		if err != nil || s == "" && object["base64"] != "" {
			return raw{}, false, errorAt(j.e.at(start), `{"base64": "..."} is a text, and this cannot be decoded`)
		}
		return raw{text: string(b)}, true, nil
	}
	if object, ok := value.(map[string]any); ok && j.open && len(object) == 1 && object["unknown"] == true {
		return raw{text: unknownValue}, false, nil
	}
	return raw{text: string(jsonOf(value))}, false, nil
}

// maxNested is how deep objects and arrays may be in each other.
const maxNested = 1000

// nested moves past an object or array, and gives its text.
func (j *jsonLine) nested() (text string, err error) {
	start, depth := j.at, 0
	for j.at < len(j.line) {
		switch c := j.line[j.at]; c {
		case '"':
			if kind, _ := j.quoted(); kind == 'x' {
				return "", j.syntax()
			}
			continue
		case '{', '[':
			if depth++; depth > maxNested {
				return "", errorAt(j.e.at(j.at), "objects and arrays are nested deeper than %d", maxNested)
			}
		case '}', ']':
			depth--
		}
		if j.at++; depth == 0 {
			break
		}
	}
	text = j.line[start:j.at]
	if !json.Valid(unsafe.Slice(unsafe.StringData(text), len(text))) { // which keeps nothing
		return "", j.syntax()
	}
	return text, nil
}

// otherName is the name of a field that looks like one of jsonFields.
type otherName struct {
	name string
	like int // which of these
	at   int
}

// misspelt refuses a field that looks like one that is missing on the line. Those
// that are somebody else's are skipped.
func (j *jsonLine) misspelt() error {
	if j.fields == j.foreign {
		return nil // head says that this is another file
	}
	i := slices.IndexFunc(j.others, func(o otherName) bool { return j.seen[o.like] == 0 })
	if i < 0 {
		return nil
	}
	o := j.others[i]
	return errorAt(j.e.at(o.at), "unknown field %q; did you mean %q?", o.name, jsonFields[o.like])
}

// skip moves past the value of a field that is somebody else's.
func (j *jsonLine) skip() error {
	if c := j.peek(); c == '{' || c == '[' {
		_, err := j.nested()
		return err
	}
	if kind, _ := j.token(); kind == 'x' {
		return j.syntax()
	}
	return nil
}

// next is the next character that is no blank, where j.at then is; 0 at the end.
func (j *jsonLine) next() byte {
	if j.at < len(j.line) && j.line[j.at] > ' ' {
		return j.line[j.at]
	}
	return j.nextAfterBlanks()
}

func (j *jsonLine) nextAfterBlanks() byte {
	for j.at < len(j.line) {
		if c := j.line[j.at]; c != ' ' && c != '\t' && c != '\r' {
			return c
		}
		j.at++
	}
	return 0
}

// token reads the string, number, true, false, or null that begins at hand, or the
// start of an object or array. The kind is its first character, 0 for a number, and 'x' if there is
// none of these.
func (j *jsonLine) token() (kind byte, text string) {
	switch c := j.peek(); c {
	case '"':
		return j.quoted()
	case '{', '[':
		j.at++
		return c, ""
	case 't':
		return j.literal("true")
	case 'f':
		return j.literal("false")
	case 'n':
		return j.literal("null")
	}
	if digits, _ := j.digits(); digits != "" {
		return 0, digits
	}
	start := j.at
	if !j.skipNumber() {
		return 'x', ""
	}
	return 0, j.line[start:j.at]
}

func (j *jsonLine) literal(text string) (kind byte, _ string) {
	if !strings.HasPrefix(j.line[j.at:], text) {
		return 'x', ""
	}
	j.at += len(text)
	return text[0], text
}

// quoted reads a string.
func (j *jsonLine) quoted() (kind byte, text string) {
	s, i := j.line[j.at+1:], 0
	for i < len(s) && classes[s[i]]&inString != 0 {
		i++
	}
	if i < len(s) && s[i] == '"' {
		j.at += i + 2
		return '"', s[:i]
	}
	return j.escaped(j.at + 1 + i)
}

// escaped reads a string with escapes, or characters beyond ASCII, from i on; before
// it there are none.
func (j *jsonLine) escaped(i int) (kind byte, text string) {
	j.all = 0x80
	for i < len(j.line) && j.line[i] != '"' {
		if j.line[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(j.line) || json.Unmarshal([]byte(j.line[j.at:i+1]), &text) != nil {
		return 'x', ""
	}
	j.at = i + 1
	return '"', text
}

// skipNumber moves past a number.
func (j *cursor) skipNumber() bool {
	if j.peek() == '-' {
		j.at++
	}
	zero := j.peek() == '0'
	if n := j.skipDigits(); n == 0 {
		return false
	} else if zero {
		j.at -= n - 1 // whatever follows the zero does not belong to the number
	}
	if j.peek() == '.' {
		j.at++
		if j.skipDigits() == 0 {
			return false
		}
	}
	if j.peek()|0x20 == 'e' {
		j.at++
		if c := j.peek(); c == '+' || c == '-' {
			j.at++
		}
		return j.skipDigits() > 0
	}
	return true
}

// peek is the character at hand, 0 at the end.
func (j *cursor) peek() byte {
	if j.at < len(j.line) {
		return j.line[j.at]
	}
	return 0
}

func (j *cursor) skipDigits() int {
	s, i := j.line[j.at:], 0
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	j.at += i
	return i
}

// syntax is what encoding/json says is wrong with the line, and where.
func (j *jsonLine) syntax() error {
	body := []byte(j.line[j.e.pos.Col-1:])
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	for {
		rest := bytes.TrimLeft(body[dec.InputOffset():], " \t\r")
		if len(rest) > 0 && (rest[0] == ',' || rest[0] == ':') {
			rest = bytes.TrimLeft(rest[1:], " \t\r")
		}
		pos := j.e.at(len(j.line) - len(rest))
		switch _, err := dec.Token(); {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return errorAt(pos, "the JSON object is not complete: is the line cut off?")
		case err != nil:
			return errorAt(pos, "not JSON: %v", err)
		}
	}
}
