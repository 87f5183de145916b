package history

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// jsonFields are the fields of an event, and those of a head.
var jsonFields = [...]string{"op", "event", "method", "args", "rets", "outcome", "word", "process", "time", "object", "format"}

// jsonHead are the fields that stand on a line without an event.
var jsonHead = jsonFields[len(jsonFields)-2:]

// jsonLine reads one line of a JSON Lines log.
type jsonLine struct {
	r      *Reader
	body   []byte
	indent int
	dec    *json.Decoder

	counted, column int // bytes of body, and the runes that they are

	e                     Event
	event, object, format string
	outcome, word         string
	stringFirst           bool                 // the first of the values is a string
	fields                int                  // number of fields seen
	seen                  [len(jsonFields)]Pos // where each field's name is, if it was seen
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
	if head, err := l.head(); head || err != nil {
		return e, false, err
	}
	if err := l.check(); err != nil {
		return e, false, err
	}
	r.began = true
	return l.e, true, nil
}

// head takes a line without an event, which says what the log is.
func (l *jsonLine) head() (ok bool, err error) {
	fields := 0
	var at Pos
	var name string
	for _, f := range jsonHead {
		if pos, ok := l.place(f); ok {
			fields, at, name = fields+1, pos, f
		}
	}
	switch {
	case fields == 0:
		return false, nil
	case fields < l.fields:
		return true, errorAt(at, "%q stands on a line of its own", name)
	}
	if pos, ok := l.place("format"); ok {
		if err := l.r.setFormat(l.format, pos); err != nil {
			return true, err
		}
	}
	if pos, ok := l.place("object"); ok {
		return true, l.r.setObject(l.object, pos)
	}
	return true, nil
}

// pos is the place of a token, the first byte of which is at; they come in order.
func (l *jsonLine) pos(at int) Pos {
	l.column += utf8.RuneCount(l.body[l.counted:at])
	l.counted = at
	return Pos{l.r.file, l.r.no, l.indent + l.column + 1}
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
	case "format":
		l.format, err = l.number(name)
	case "outcome":
		l.outcome, err = l.outcomeName()
	case "word":
		l.word, err = l.text(name)
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
		v, isString, err := l.value()
		if err != nil {
			return nil, err
		}
		if len(vs) == 0 {
			l.stringFirst = isString
		}
		vs = append(vs, v)
	}
	_, _, err = l.token() // ]
	return vs, err
}

// outcomeName is the name of an outcome; null is the nil outcome.
func (l *jsonLine) outcomeName() (string, error) {
	tok, pos, err := l.token()
	if err != nil {
		return "", err
	}
	switch tok := tok.(type) {
	case string:
		if couldName(tok) {
			return tok, nil
		}
	case nil:
		return string(Nil), nil
	}
	return "", errorAt(pos, `field "outcome" is the name of an outcome, such as "nil"; values are in "rets"`)
}

// value is a string, number, boolean or null, or an object for a text that is not
// UTF-8.
func (l *jsonLine) value() (v Raw, isString bool, err error) {
	tok, pos, err := l.token()
	if err != nil {
		return Raw{}, false, err
	}
	switch tok := tok.(type) {
	case string:
		v, err := l.str(tok, pos)
		return v, true, err
	case json.Number:
		return Raw{Text: tok.String()}, false, nil
	case bool:
		return Raw{Text: strconv.FormatBool(tok)}, false, nil
	case nil:
		return Raw{Text: string(Nil)}, false, nil
	case json.Delim:
		if tok == '{' && !l.r.old {
			v, err := l.bytes()
			return v, true, err
		}
	}
	return Raw{}, false, errorAt(pos, "a value is a string, a number, a boolean or null")
}

// str is a value that is a string. In old logs it has what a text log would have, so "\"empty\"" is the value and "empty" the outcome.
func (l *jsonLine) str(s string, pos Pos) (Raw, error) {
	if !l.r.declared && strings.HasPrefix(s, `"`) {
		text, err := strconv.Unquote(s)
		switch {
		case err != nil:
		case l.r.old:
			return Raw{Text: text, Quoted: true}, nil
		default:
			return Raw{}, errQuotes(pos, s)
		}
	}
	return Raw{Text: s}, nil
}

// bytes is the rest of {"base64": "..."}.
func (l *jsonLine) bytes() (Raw, error) {
	const want = `an object as a value is {"base64": "..."}`
	name, pos, err := l.token()
	if err != nil {
		return Raw{}, err
	}
	if name != json.Token("base64") {
		return Raw{}, errorAt(pos, want)
	}
	tok, pos, err := l.token()
	if err != nil {
		return Raw{}, err
	}
	s, ok := tok.(string)
	b, wrong := base64.StdEncoding.Strict().DecodeString(s)
	if !ok || wrong != nil {
		return Raw{}, errorAt(pos, want)
	}
	end, pos, err := l.token()
	if err == nil && end != json.Delim('}') {
		err = errorAt(pos, want)
	}
	return Raw{Text: string(b)}, err
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
	for _, name := range []string{"outcome", "word"} {
		if pos, ok := l.place(name); ok && l.e.Call {
			return errorAt(pos, "a call has no %q", name)
		}
	}
	if l.e.Call && l.e.Method == "" {
		return errorAt(l.e.Pos, `field "method" is missing`)
	}
	method, _ := l.place("method")
	args, _ := l.place("args")
	rets, _ := l.place("rets")
	outcome, _ := l.place("outcome")
	word, _ := l.place("word")
	l.e.methodCol, l.e.valuesCol = method.Col, cmp.Or(args.Col, outcome.Col, word.Col, rets.Col)
	if !l.e.Call {
		return l.answer()
	}
	l.r.passed(l.e.Args)
	return nil
}

// answer puts together what a return says of its outcome and values.
func (l *jsonLine) answer() error {
	outcome, said := l.place("outcome")
	word, worded := l.place("word")
	switch {
	case !said && !worded:
		if l.stringFirst && !l.r.old {
			l.r.returnedString(&l.e)
		}
		return nil
	case l.r.old && said:
		return errNew(outcome, "outcome")
	case l.r.old:
		return errNew(word, "word")
	case worded && !couldName(l.word):
		return errorAt(word, `field "word" is what may name an outcome in a text log; other values are in "rets"`)
	case worded && said && l.word != l.outcome && !(isNilWord(l.word) && isNilWord(l.outcome)):
		return errorAt(word, `"word" and "outcome" say different things`)
	}
	l.r.said = cmp.Or(l.r.said, outcome.Line, word.Line)
	switch {
	case worded:
		l.e.Rets = append([]Raw{{Text: l.word}}, l.e.Rets...)
	case l.outcome == string(None) && len(l.e.Rets) > 0:
		return errorAt(outcome, `outcome "none" has no "rets"`)
	case l.outcome == string(Some) && len(l.e.Rets) > 0:
		l.e.Rets[0].Quoted = true
	case l.outcome == string(None):
	case l.outcome == string(Some):
		return errorAt(outcome, `outcome "value" has its values in "rets"`)
	default:
		l.e.Rets = append([]Raw{{Text: l.outcome, Outcome: true}}, l.e.Rets...)
	}
	return nil
}
