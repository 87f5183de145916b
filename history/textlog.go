package history

import (
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// textLine reads one line of a text log: "[ID] call m(V1, V2)" or
// "[ID] return V1, V2".
type textLine struct {
	r      *Reader
	line   string // without indentation and trailing blanks
	indent int
	at     int
}

// pos is the place of a byte of the line.
func (l *textLine) pos(at int) Pos {
	return Pos{l.r.file, l.r.no, l.indent + utf8.RuneCountInString(l.line[:at]) + 1}
}

func (l *textLine) blanks() {
	for l.at < len(l.line) && (l.line[l.at] == ' ' || l.line[l.at] == '\t') {
		l.at++
	}
}

// word moves past the characters up to a blank or an opening parenthesis.
func (l *textLine) word() string {
	start := l.at
	for l.at < len(l.line) && strings.IndexByte(" \t(", l.line[l.at]) < 0 {
		l.at++
	}
	return l.line[start:l.at]
}

func (l *textLine) parse() (Event, error) {
	e := Event{Pos: l.pos(0)}
	end := strings.IndexByte(l.line, ']')
	if l.line[0] != '[' || end < 0 {
		return e, errorAt(e.Pos, `expected "[ID] call METHOD(VALUES)" or "[ID] return VALUES"`)
	}
	if e.Op = strings.TrimSpace(l.line[1:end]); e.Op == "" {
		return e, errorAt(e.Pos, "the operation's identifier, between [ and ], is empty")
	}
	l.at = end + 1
	l.blanks()
	start := l.at
	switch word := l.word(); word {
	case "call":
		e.Call = true
		return e, l.parseCall(&e)
	case "return":
		return e, l.parseReturn(&e)
	default:
		return e, errorAt(l.pos(start), `expected "call" or "return" after [%s], not %q%s`, e.Op, word,
			suggest.Hint(word, []string{"call", "return"}))
	}
}

// parseCall reads "m(V1, V2)", "m()" or "m".
func (l *textLine) parseCall(e *Event) error {
	l.blanks()
	start := l.at
	e.methodCol = l.pos(start).Col
	if e.Method = l.word(); e.Method == "" {
		return errorAt(l.pos(start), `the method is missing: write "[%s] call METHOD(VALUES)"`, e.Op)
	}
	l.blanks()
	switch {
	case l.at == len(l.line):
		return nil
	case l.line[l.at] != '(':
		return errorAt(l.pos(l.at), `arguments stand in parentheses: write "%s(%s)"`, e.Method, l.line[l.at:])
	}
	l.at++
	l.blanks()
	e.valuesCol = l.pos(l.at).Col
	if strings.HasPrefix(l.line[l.at:], ")") {
		l.at++
	} else if err := l.parseArgs(e); err != nil {
		return err
	}
	l.blanks()
	if l.at < len(l.line) {
		return errorAt(l.pos(l.at), "unexpected %q after the call", l.line[l.at:])
	}
	return nil
}

func (l *textLine) parseArgs(e *Event) (err error) {
	if e.Args, err = l.values(); err != nil {
		return err
	}
	if !strings.HasPrefix(l.line[l.at:], ")") {
		return errorAt(l.pos(l.at), `the arguments of %s lack a ")"`, e.Method)
	}
	l.at++
	return nil
}

// parseReturn reads "V1, V2" or nothing; an error's message goes on to the end
// of the line.
func (l *textLine) parseReturn(e *Event) (err error) {
	l.blanks()
	rest := l.line[l.at:]
	if rest == "" {
		return nil
	}
	e.valuesCol = l.pos(l.at).Col
	if strings.HasPrefix(rest, "error:") {
		e.Rets = l.r.keep([]Raw{{Text: rest}})
		return nil
	}
	if e.Rets, err = l.values(); err != nil {
		return err
	}
	if l.at < len(l.line) {
		return errorAt(l.pos(l.at), "unexpected %q after the returned values", l.line[l.at:])
	}
	return nil
}

// values reads one value or more, separated by commas.
func (l *textLine) values() ([]Raw, error) {
	var buf [4]Raw
	vs := buf[:0]
	for {
		l.blanks()
		v, n, msg := readRaw(l.line[l.at:])
		if msg != "" {
			return nil, errorAt(l.pos(l.at+n), "%s", msg)
		}
		if at := blankIn(v.Text); at >= 0 && !v.Quoted && !l.r.old {
			return nil, errBlank(l.pos(l.at+at), v.Text)
		}
		vs = append(vs, v)
		l.at += n
		l.blanks()
		if l.at == len(l.line) || l.line[l.at] != ',' {
			return l.r.keep(vs), nil
		}
		l.at++
	}
}
