package history

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// jsonFields are the fields of an event, and "object", which stands alone.
var jsonFields = [...]string{"op", "event", "method", "args", "rets", "process", "time", "object"}

// jsonLine reads one line of a JSON Lines log.
type jsonLine struct {
	r      *Reader
	body   []byte
	indent int
	dec    *json.Decoder

	e      Event
	event  string
	object string
	fields int                  // number of fields seen
	seen   [len(jsonFields)]Pos // where each field's name is, if it was seen
}

// parseJSON reads one event, or the object's name; then ok is false.
func (r *Reader) parseJSON(body []byte, indent int) (e Event, ok bool, err error) {
	l := &jsonLine{r: r, body: body, indent: indent}
	l.e.Pos = l.pos(0)
	if body[0] != '{' {
		return e, false, errorAt(l.e.Pos, "expected a JSON object, as on the first line")
	}
	l.dec = json.NewDecoder(bytes.NewReader(body))
	l.dec.UseNumber()
	if err := l.parse(); err != nil {
		return e, false, err
	}
	if pos, ok := l.place("object"); ok {
		if l.fields > 1 {
			return e, false, errorAt(pos, `"object" stands on a line of its own`)
		}
		return e, false, r.setObject(l.object, pos)
	}
	if err := l.check(); err != nil {
		return e, false, err
	}
	return l.e, true, nil
}

// pos is the place of a byte of the line.
func (l *jsonLine) pos(at int) Pos {
	return Pos{l.r.file, l.r.no, l.indent + utf8.RuneCount(l.body[:at]) + 1}
}

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
	i := slices.Index(jsonFields[:], name)
	if i < 0 {
		return l.unknown(name, pos)
	}
	if l.seen[i] != (Pos{}) {
		return errorAt(pos, "field %q comes twice", name)
	}
	l.seen[i], l.fields = pos, l.fields+1
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
	}
	return err
}

func (l *jsonLine) unknown(name string, pos Pos) error {
	hint := suggest.Hint(name, jsonFields[:])
	if hint == "" {
		hint = "; the fields are " + strings.Join(jsonFields[:], ", ")
	}
	return errorAt(pos, "unknown field %q%s", name, hint)
}

// place is where a field's name is; ok is false if the line does not have it.
func (l *jsonLine) place(field string) (pos Pos, ok bool) {
	pos = l.seen[slices.Index(jsonFields[:], field)]
	return pos, pos != Pos{}
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
		if _, ok := l.place(name); !ok {
			return errorAt(l.e.Pos, "field %q is missing", name)
		}
	}
	other := "rets"
	switch l.event {
	case "call":
		l.e.Call = true
	case "return":
		other = "args"
	default:
		pos, _ := l.place("event")
		return errorAt(pos, `"event" is "call" or "return", not %q%s`, l.event, suggest.Hint(l.event, []string{"call", "return"}))
	}
	if pos, ok := l.place(other); ok {
		return errorAt(pos, "a %s has no %q", l.event, other)
	}
	if l.e.Call && l.e.Method == "" {
		return errorAt(l.e.Pos, `field "method" is missing`)
	}
	method, _ := l.place("method")
	args, _ := l.place("args")
	rets, _ := l.place("rets")
	l.e.methodCol, l.e.valuesCol = method.Col, max(args.Col, rets.Col)
	return nil
}
