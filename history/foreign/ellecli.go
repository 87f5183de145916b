package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// parseElleCLI reads histories of elle-cli: an array of objects, or one after the other.
//
//	[{"index": 0, "type": "invoke", "process": 0, "f": "write", "value": 4},
//	 {"index": 1, "type": "ok", "process": 0, "f": "write", "value": 4}]
//
// It reads the fields type, process, f, value, error, key, time and index, and skips all others.
func parseElleCLI(src, file string, each func(*record) error) error {
	all := lexer{src: src, file: file}
	if err := all.valid(); err != nil {
		return err
	}
	src = src[all.at:]
	p := newElle(src, file)
	inArray := false
	for {
		t, at, err := p.token()
		switch {
		case err == io.EOF && !inArray:
			return nil
		case err == io.EOF:
			return p.errorAt(at, "the array is never closed; was the file cut off?")
		case err != nil:
			return err
		case t == json.Delim('{'):
			if err := p.object(at, each); err != nil {
				return err
			}
		case t == json.Delim('[') && !inArray && p.objects == 0:
			inArray = true
		case t == json.Delim(']') && inArray:
			return p.done()
		default:
			return p.errorAt(at, `want an operation, an object such as {"type": "invoke", "process": 0, "f": "read"}`)
		}
	}
}

// elle goes through the tokens of a file.
type elle struct {
	src, file string
	dec       *json.Decoder
	objects   int

	// The position of the offset known.
	known, line, col int
}

func newElle(src, file string) *elle {
	p := &elle{src: src, file: file, line: 1, col: 1, dec: json.NewDecoder(strings.NewReader(src))}
	p.dec.UseNumber()
	return p
}

// done refuses what comes after the array.
func (p *elle) done() error {
	_, at, err := p.token()
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return p.errorAt(at, "more after the end of the array of operations")
}

// token reads a token that starts at an offset.
func (p *elle) token() (t json.Token, at int, err error) {
	at = int(p.dec.InputOffset())
	for at < len(p.src) && strings.IndexByte(" \t\r\n,:", p.src[at]) >= 0 {
		at++
	}
	t, err = p.dec.Token()
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		if bad.Offset > 0 {
			at = max(at, int(bad.Offset)-1)
		}
		return nil, at, p.errorAt(min(at, len(p.src)), "no JSON: %s", bad.Error())
	case err == io.ErrUnexpectedEOF:
		return nil, at, p.errorAt(at, "the JSON ends in the middle; was the file cut off?")
	case err != nil && err != io.EOF:
		return nil, at, p.errorAt(at, "no JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return t, at, err
}

// inner reads a token within an object or array, where the file cannot end.
func (p *elle) inner() (json.Token, int, error) {
	t, at, err := p.token()
	if err == io.EOF {
		err = p.errorAt(at, "the JSON ends in the middle; was the file cut off?")
	}
	return t, at, err
}

func (p *elle) pos(at int) history.Pos {
	if at < p.known {
		return positionOf(p.file, p.src[:at])
	}
	between := p.src[p.known:at]
	if n := strings.Count(between, "\n"); n > 0 {
		p.line += n
		p.col = 1
		between = between[strings.LastIndexByte(between, '\n')+1:]
	}
	p.col += utf8.RuneCountInString(between)
	p.known = at
	return history.Pos{File: p.file, Line: p.line, Col: p.col}
}

func (p *elle) errorAt(at int, format string, args ...any) error {
	return &history.ParseError{Pos: p.pos(at), Msg: fmt.Sprintf(format, args...)}
}

// object reads the object that starts at an offset, and hands it on.
func (p *elle) object(start int, each func(*record) error) error {
	p.objects++
	r := record{pos: p.pos(start)}
	seen := make(map[string]bool, 8)
	for {
		t, at, err := p.inner()
		if err != nil {
			return err
		}
		name, isName := t.(string)
		if !isName {
			break // the closing bracket
		}
		if seen[name] {
			return p.errorAt(at, "a second %q in one object", name)
		}
		seen[name] = true
		if err := p.field(name, &r); err != nil {
			return err
		}
	}
	switch {
	case !seen["type"]:
		return p.errorAt(start, `an operation without "type": want invoke, ok, fail or info`)
	case r.method == "" && r.process != "":
		return p.errorAt(start, `an operation without "f", its method`)
	case !seen["process"]:
		return p.errorAt(start, `an operation without "process", such as 0; null is nobody's`)
	}
	return each(&r)
}

// field reads the value of a field into the record.
func (p *elle) field(name string, r *record) error {
	t, at, err := p.inner()
	if err != nil {
		return err
	}
	v, err := p.value(t, at, 1)
	if err != nil {
		return err
	}
	text, isText := t.(string)
	number, isNumber := t.(json.Number)
	switch name {
	case "type":
		kinds := map[string]kind{"invoke": invoke, "ok": ok, "fail": fail, "info": info}
		k, known := kinds[strings.TrimPrefix(text, ":")]
		if !known {
			return p.errorAt(at, `"type" is "invoke", "ok", "fail" or "info", not %s`, p.shown(at))
		}
		r.kind = k
	case "f":
		if r.method = strings.TrimPrefix(text, ":"); r.method == "" && (isText || t != nil) {
			return p.errorAt(at, `"f" is the name of a method, not %s`, p.shown(at))
		}
	case "process":
		if isText && isInteger(text) {
			r.process = plainInteger(text)
			break
		}
		if isNumber {
			if _, err := strconv.ParseInt(number.String(), 10, 64); err != nil {
				return p.errorAt(at, `"process" is an integer, or a name that stands for no client, not %s`, number)
			}
			r.process = number.String()
		}
		r.by = strings.TrimPrefix(text, ":")
		if !isNumber && !isText && t != nil {
			return p.errorAt(at, `"process" is an integer, or a name that stands for no client, not %s`, p.shown(at))
		}
	case "value":
		r.value = v
	case "key":
		r.key = v
	case "error":
		r.err = v
	case "index":
		r.number, err = strconv.ParseInt(number.String(), 10, 64)
		r.numbered = err == nil
	case "time":
		if r.time, err = strconv.ParseInt(number.String(), 10, 64); err != nil && t != nil {
			return p.errorAt(at, `"time" is an integer, in nanoseconds, not %s`, p.shown(at))
		}
		r.timed = err == nil
	}
	return nil
}

// shown is what a message shows of the token that starts at an offset.
func (p *elle) shown(at int) string {
	const most = 30
	text := p.src[at:p.dec.InputOffset()]
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// value reads the value whose first token has been read.
func (p *elle) value(t json.Token, at, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, p.errorAt(at, "nested deeper than %d", maxDepth)
	}
	switch t := t.(type) {
	case nil:
		return value{kind: null, text: "nil"}, nil
	case bool:
		return value{kind: boolean, text: strconv.FormatBool(t)}, nil
	case json.Number:
		return value{kind: scalar, text: t.String()}, nil
	case string:
		return value{kind: scalar, text: t}, nil
	}
	if t == json.Delim('[') {
		return p.array(depth)
	}
	return p.mapping(depth)
}

func (p *elle) array(depth int) (value, error) {
	v := value{kind: vector}
	var text strings.Builder
	for {
		t, at, err := p.inner()
		if err != nil {
			return v, err
		}
		if t == json.Delim(']') {
			v.text = "[" + text.String() + "]"
			return v, nil
		}
		part, err := p.value(t, at, depth+1)
		if err != nil {
			return v, err
		}
		if len(v.parts) > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(part.written(p, at))
		v.parts = append(v.parts, part)
	}
}

// mapping reads an object that is a value: its entries in the order of the file.
func (p *elle) mapping(depth int) (value, error) {
	var text strings.Builder
	for {
		name, _, err := p.inner()
		if err != nil {
			return value{}, err
		}
		if name == json.Delim('}') {
			return value{kind: other, text: "{" + text.String() + "}"}, nil
		}
		t, at, err := p.inner()
		if err != nil {
			return value{}, err
		}
		v, err := p.value(t, at, depth+1)
		if err != nil {
			return value{}, err
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(strconv.Quote(name.(string)) + " " + v.written(p, at))
	}
}

// written is the text of a value in a collection, where a string has quotes.
func (v value) written(p *elle, at int) string {
	if p.src[at] == '"' {
		return strconv.Quote(v.text)
	}
	return v.text
}
