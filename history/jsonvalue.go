package history

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// values reads an array of values.
func (j *jsonLine) values(field string) error {
	start := j.at
	switch kind, _ := j.token(); kind {
	case '[':
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

// value reads a string, number, boolean or null, or an object for a text that is
// not UTF-8.
func (j *jsonLine) value() (err error) {
	start := j.at
	kind, text := j.token()
	isString := kind == '"'
	var v raw
	switch {
	case isString:
		v, err = j.str(text, start)
	case kind == 'n':
		v.text = string(Nil)
	case kind == '{' && !j.old:
		isString = true
		v, err = j.bytes()
	case kind == 'x':
		err = j.syntax()
	case kind == '{' || kind == '[':
		err = errorAt(j.e.at(start), "a value is a string, a number, a boolean or null")
	default:
		v.text = text
	}
	if len(j.e.values) == 0 {
		j.stringFirst = isString
	}
	j.e.values = append(j.e.values, v)
	return err
}

// str is a value that is a string. In old logs it has what a text log would have,
// so "\"empty\"" is the value and "empty" the outcome.
func (j *jsonLine) str(s string, at int) (raw, error) {
	if !j.declared && strings.HasPrefix(s, `"`) {
		text, err := strconv.Unquote(s)
		switch {
		case err != nil:
		case j.old:
			return raw{text: text, quoted: true}, nil
		default:
			return raw{}, errQuotes(j.e.at(int(at)), s)
		}
	}
	return raw{text: s}, nil
}

// bytes is the rest of {"base64": "..."}.
func (j *jsonLine) bytes() (raw, error) {
	const want = `an object as a value is {"base64": "..."}`
	wrong := func(at int) (raw, error) { return raw{}, errorAt(j.e.at(int(at)), want) }
	broken := func() (raw, error) { return raw{}, j.syntax() }
	c := j.next()
	at := j.at
	switch kind, name := j.token(); {
	case c == '}' || kind == '"' && name != "base64":
		return wrong(at)
	case kind != '"' || j.next() != ':':
		return broken()
	}
	j.at++
	j.next()
	at = j.at
	kind, s := j.token()
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	switch {
	case kind == 'x':
		return broken()
	case kind != '"' || err != nil:
		return wrong(at)
	}
	if c := j.next(); c == ',' {
		j.at++
		j.next()
		at = j.at
		if kind, _ := j.token(); kind == '"' {
			return wrong(at)
		}
		return broken()
	} else if c != '}' {
		return broken()
	}
	j.at++
	return raw{text: string(b)}, nil
}
