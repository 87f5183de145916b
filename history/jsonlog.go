package history

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// jsonFields are the fields of an event, and "object", which stands alone.
var jsonFields = []string{"op", "event", "method", "args", "rets", "process", "time", "object"}

// jsonLine reads one line of a JSON Lines log.
type jsonLine struct {
	r      *Reader
	body   []byte
	indent int
	dec    *json.Decoder

	e      Event
	event  string
	object string
	seen   map[string]Pos
}

// parseJSON reads one event, or the object's name; then ok is false.
func (r *Reader) parseJSON(body []byte, indent int) (e Event, ok bool, err error) {
	l := &jsonLine{r: r, body: body, indent: indent, seen: map[string]Pos{}}
	l.e.Pos = l.pos(0)
	if body[0] != '{' {
		return e, false, errorAt(l.e.Pos, "expected a JSON object, as on the first line")
	}
	l.dec = json.NewDecoder(bytes.NewReader(body))
	l.dec.UseNumber()
	if err := l.parse(); err != nil {
		return e, false, err
	}
	if pos, ok := l.seen["object"]; ok {
		if len(l.seen) > 1 {
			return e, false, errorAt(pos, `"object" stands on a line of its own`)
		}
		return e, false, r.setObject(l.object, pos)
	}
	if err := l.check(); err != nil {
		return e, false, err
	}
	return l.e, true, nil
}

func (l *jsonLine) pos(at int) Pos { return Pos{l.r.file, l.r.no, l.indent + at + 1} }

// token is the next token and its place.
func (l *jsonLine) token() (json.Token, Pos, error) {
	rest := bytes.TrimLeft(l.body[l.dec.InputOffset():], " \t")
	if len(rest) > 0 && (rest[0] == ',' || rest[0] == ':') {
		rest = bytes.TrimLeft(rest[1:], " \t")
	}
	pos := l.pos(len(l.body) - len(rest))
	tok, err := l.dec.Token()
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, pos, errorAt(pos, "the JSON object is not complete: is the line cut off?")
	case err != nil:
		return nil, pos, errorAt(pos, "not JSON: %v", err)
	}
	return tok, pos, nil
}

func (l *jsonLine) parse() error {
	if _, _, err := l.token(); err != nil { // {
		return err
	}
	for l.dec.More() {
		if err := l.parseField(); err != nil {
			return err
		}
	}
	if _, _, err := l.token(); err != nil { // }
		return err
	}
	if rest := bytes.TrimLeft(l.body[l.dec.InputOffset():], " \t"); len(rest) > 0 {
		return errorAt(l.pos(len(l.body)-len(rest)), "a line has one JSON object")
	}
	return nil
}

func (l *jsonLine) parseField() (err error) {
	tok, pos, err := l.token()
	if err != nil {
		return err
	}
	name, ok := tok.(string)
	if !ok {
		return errorAt(pos, "expected the name of a field")
	}
	if _, ok := l.seen[name]; ok {
		return errorAt(pos, "field %q comes twice", name)
	}
	l.seen[name] = pos
	switch name {
	case "op":
		l.e.Op, err = l.text(name)
	case "event":
		l.event, err = l.text(name)
	case "method":
		l.e.Method, err = l.text(name)
	case "process":
		l.e.Process, err = l.text(name)
	case "object":
		l.object, err = l.text(name)
	case "time":
		l.e.Time, err = l.number(name)
	case "args":
		l.e.Args, err = l.values(name)
	case "rets":
		l.e.Rets, err = l.values(name)
	default:
		hint := suggest.Hint(name, jsonFields)
		if hint == "" {
			hint = "; the fields are " + strings.Join(jsonFields, ", ")
		}
		err = errorAt(pos, "unknown field %q%s", name, hint)
	}
	return err
}

// text is a string, or a number as written.
func (l *jsonLine) text(field string) (string, error) {
	tok, pos, err := l.token()
	if err != nil {
		return "", err
	}
	switch tok := tok.(type) {
	case string:
		if tok != "" {
			return tok, nil
		}
	case json.Number:
		return tok.String(), nil
	}
	return "", errorAt(pos, "field %q is a string that is not empty, or a number", field)
}

func (l *jsonLine) number(field string) (string, error) {
	tok, pos, err := l.token()
	if err != nil {
		return "", err
	}
	n, ok := tok.(json.Number)
	if !ok {
		return "", errorAt(pos, "field %q is a number", field)
	}
	return n.String(), nil
}

// values is an array of values.
func (l *jsonLine) values(field string) ([]Raw, error) {
	tok, pos, err := l.token()
	if err != nil {
		return nil, err
	}
	if tok != json.Delim('[') {
		return nil, errorAt(pos, "field %q is an array of values", field)
	}
	var vs []Raw
	for l.dec.More() {
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		vs = append(vs, v)
	}
	_, _, err = l.token() // ]
	return vs, err
}

// value is a string, number, boolean or null. A string has what a text log
// would have, so "\"empty\"" is the value and "empty" the outcome.
func (l *jsonLine) value() (Raw, error) {
	tok, pos, err := l.token()
	if err != nil {
		return Raw{}, err
	}
	switch tok := tok.(type) {
	case string:
		if text, err := strconv.Unquote(tok); err == nil && tok[0] == '"' {
			return Raw{text, true}, nil
		}
		return Raw{Text: tok}, nil
	case json.Number:
		return Raw{Text: tok.String()}, nil
	case bool:
		return Raw{Text: strconv.FormatBool(tok)}, nil
	case nil:
		return Raw{Text: string(Nil)}, nil
	}
	return Raw{}, errorAt(pos, "a value is a string, a number, a boolean or null")
}

// check looks at what the fields say together.
func (l *jsonLine) check() error {
	for _, name := range []string{"op", "event"} {
		if _, ok := l.seen[name]; !ok {
			return errorAt(l.e.Pos, "field %q is missing", name)
		}
	}
	allowed := map[string]string{"call": "rets", "return": "args"}
	other, ok := allowed[l.event]
	if !ok {
		return errorAt(l.seen["event"], `"event" is "call" or "return", not %q%s`, l.event, suggest.Hint(l.event, []string{"call", "return"}))
	}
	if pos, ok := l.seen[other]; ok {
		return errorAt(pos, "a %s has no %q", l.event, other)
	}
	l.e.Call = l.event == "call"
	if l.e.Call && l.e.Method == "" {
		return errorAt(l.e.Pos, `field "method" is missing`)
	}
	l.e.methodCol = l.seen["method"].Col
	l.e.valuesCol = max(l.seen["args"].Col, l.seen["rets"].Col)
	return nil
}
