package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// maxDepth is how deep collections may be nested.
const maxDepth = 200

// parseEDN reads a series of maps, or one vector or list of them.
func parseEDN(src, file string, each func(*record) error) error {
	e := &edn{lexer: lexer{src: src, file: file}, each: each}
	if err := e.valid(); err != nil {
		return err
	}
	if err := e.blanks(); err != nil {
		return err
	}
	if e.end() {
		return nil
	}
	if c := e.src[e.at]; c == '[' || c == '(' {
		return e.list(c)
	}
	for !e.end() {
		if err := e.record(); err != nil {
			return err
		}
		if err := e.blanks(); err != nil {
			return err
		}
	}
	return nil
}

// edn reads records. What of a record is collected is used again for the next one.
type edn struct {
	lexer
	each    func(*record) error
	r       record
	outer   []value // the parts of a vector
	inner   []value // the parts of its second part, the value of [key value]
	line    int     // lines before known
	begins  int     // where the line of known begins
	known   int
	scratch []byte
}

// list reads records up to the bracket that closes the list.
func (e *edn) list(open byte) error {
	start := e.at
	e.at++
	for {
		if err := e.blanks(); err != nil {
			return err
		}
		if e.end() {
			return e.wrong(start, "this %c is never closed", open)
		}
		if c := e.src[e.at]; c == ']' || c == ')' || c == '}' {
			break
		}
		if err := e.record(); err != nil {
			return err
		}
	}
	if err := e.closing(start); err != nil {
		return err
	}
	if err := e.blanks(); err != nil {
		return err
	}
	if !e.end() {
		return e.wrong(e.at, "more after the end of the list of operations")
	}
	return nil
}

// record reads a map, which may have tags, and hands it on.
func (e *edn) record() error {
	start := e.at
	for tags := 0; e.src[e.at] == '#' && e.at+1 < len(e.src) && isTag(e.src[e.at+1]); tags++ {
		if err := e.tag(); err != nil {
			return err
		}
		if tags == maxDepth {
			return e.wrong(start, "more than %d tags", maxDepth)
		}
	}
	if e.src[e.at] != '{' {
		return e.wrong(e.at, "expected an operation, a map such as {:process 0, :type :invoke, :f :read}")
	}
	e.r = record{pos: e.place(start)}
	if err := e.fields(); err != nil {
		return err
	}
	return e.each(&e.r)
}

// The fields that are read, a bit each.
const (
	hasType = 1 << iota
	hasF
	hasProcess
	hasValue
	hasKey
	hasTime
	hasIndex
	hasError
)

// fields reads the map of a record.
func (e *edn) fields() error {
	open, seen := e.at, 0
	e.at++
	for {
		if err := e.next(open); err != nil {
			return err
		}
		if c := e.src[e.at]; c == '}' || c == ']' || c == ')' {
			if err := e.closing(open); err != nil {
				return err
			}
			return e.complete(open, seen)
		}
		start := e.at
		if err := e.skip(1); err != nil {
			return err
		}
		name := e.src[start:e.at]
		if err := e.next(open); err != nil {
			return err
		}
		if c := e.src[e.at]; c == '}' || c == ']' || c == ')' {
			return e.wrong(start, "%s has no value: a map has an even number of forms", shorten(name))
		}
		field := fieldOf(name)
		if seen&field != 0 {
			return e.wrong(start, "a second %s in one map", name)
		}
		seen |= field
		if err := e.field(field); err != nil {
			return err
		}
	}
}

// next goes to the next form of a collection.
func (e *edn) next(open int) error {
	if err := e.blanks(); err != nil {
		return err
	}
	if e.end() {
		return e.wrong(open, "this %c is never closed", e.src[open])
	}
	return nil
}

func fieldOf(name string) int {
	switch name {
	case ":type":
		return hasType
	case ":f":
		return hasF
	case ":process":
		return hasProcess
	case ":value":
		return hasValue
	case ":key":
		return hasKey
	case ":time":
		return hasTime
	case ":index":
		return hasIndex
	case ":error":
		return hasError
	}
	return 0
}

// field reads the form that belongs to a field.
func (e *edn) field(field int) (err error) {
	start := e.at
	switch field {
	case 0:
		return e.skip(1)
	case hasValue:
		e.r.value, err = e.value(&e.outer, 1)
		return err
	case hasKey:
		e.r.key, err = e.value(nil, 1)
		return err
	case hasError:
		var parts []value
		e.r.err, err = e.value(&parts, 2)
		return err
	}
	if err := e.skip(1); err != nil {
		return err
	}
	text := e.src[start:e.at]
	switch field {
	case hasType:
		return e.kind(start, text)
	case hasProcess:
		e.r.whose(text)
	case hasF:
		switch c := text[0]; {
		case c == ':':
			e.r.method = text[1:]
		case c == '"' && !strings.Contains(text, `\`):
			e.r.method = text[1 : len(text)-1]
		case text == "nil":
		case strings.IndexByte(`"[({#\`, c) >= 0 || isNumber(text):
			return e.wrong(start, ":f names the operation, as in :f :read; not %s", shorten(text))
		default:
			e.r.method = text
		}
	case hasTime:
		return e.time(start, text)
	case hasIndex:
		e.r.number, e.r.numbered = integerOf(text)
	}
	return nil
}

func (e *edn) kind(start int, text string) error {
	switch text {
	case ":invoke":
		e.r.kind = invoke
	case ":ok":
		e.r.kind = ok
	case ":fail":
		e.r.kind = fail
	case ":info":
		e.r.kind = info
	default:
		return e.wrong(start, ":type is :invoke, :ok, :fail or :info; not %s", shorten(text))
	}
	return nil
}

func (e *edn) time(start int, text string) error {
	if text == "nil" {
		return nil
	}
	n, fits := integerOf(text)
	if !fits {
		return e.wrong(start, ":time is a whole number of nanoseconds; not %s", shorten(text))
	}
	e.r.time, e.r.timed = n, true
	return nil
}

// complete refuses a map that is no operation.
func (e *edn) complete(open, seen int) error {
	switch {
	case seen&hasType == 0:
		return e.wrong(open, "this operation has no :type, such as :invoke or :ok")
	case e.r.process != "" && e.r.method == "":
		return e.wrong(open, "this operation has no name: :f, such as :f :read")
	case seen&hasProcess == 0:
		return e.wrong(open, "this operation has no :process")
	}
	return nil
}

// independent is the tag that Jepsen may put in front of the pair [key value] of a keyed test.
const independent = "#jepsen.independent.Tuple"

// value reads a form. The parts of a vector are collected if parts are wanted.
func (e *edn) value(parts *[]value, depth int) (value, error) {
	if rest, ok := strings.CutPrefix(e.src[e.at:], independent); ok && strings.HasPrefix(rest, "[") {
		e.at += len(independent)
	}
	start := e.at
	switch e.src[start] {
	case '[', '(':
		if parts != nil {
			return e.vector(parts, depth)
		}
	case '{', '#':
	default:
		if err := e.skip(depth); err != nil {
			return value{}, err
		}
		return atom(e.src[start:e.at]), nil
	}
	if err := e.skip(depth); err != nil {
		return value{}, err
	}
	if text := e.src[start:e.at]; strings.HasPrefix(text, "##") {
		return value{kind: scalar, text: text[2:]}, nil
	}
	return value{kind: other, text: e.canonical(start)}, nil
}

// vector reads a vector or list with its parts.
func (e *edn) vector(parts *[]value, depth int) (value, error) {
	start := e.at
	e.at++
	list := (*parts)[:0]
	for {
		if err := e.next(start); err != nil {
			return value{}, err
		}
		if c := e.src[e.at]; c == ']' || c == ')' || c == '}' {
			break
		}
		var within *[]value
		if depth == 1 && len(list) == 1 {
			within = &e.inner
		}
		v, err := e.value(within, depth+1)
		if err != nil {
			return value{}, err
		}
		list = append(list, v)
	}
	*parts = list
	if err := e.closing(start); err != nil {
		return value{}, err
	}
	return value{kind: vector, text: e.canonical(start), parts: list}, nil
}

// canonical is the text of the collection that ends here.
func (e *edn) canonical(start int) string {
	text := e.src[start:e.at]
	if isCanonical(text) {
		return text
	}
	again := lexer{src: text}
	e.scratch = again.canonical(e.scratch[:0])
	return string(e.scratch)
}

// place is where an offset is; offsets only grow.
func (e *edn) place(at int) history.Pos {
	piece := e.src[e.known:at]
	if n := strings.Count(piece, "\n"); n > 0 {
		e.line += n
		e.begins = e.known + strings.LastIndexByte(piece, '\n') + 1
	}
	e.known = at
	return history.Pos{File: e.file, Line: e.line + 1, Col: utf8.RuneCountInString(e.src[e.begins:at]) + 1}
}

// valid refuses what is no UTF-8.
func (l *lexer) valid() error {
	l.at = len(l.src) - len(strings.TrimPrefix(l.src, "\ufeff"))
	if utf8.ValidString(l.src) {
		return nil
	}
	for i, r := range l.src {
		if r == utf8.RuneError && !strings.HasPrefix(l.src[i:], "\ufffd") {
			return l.wrong(i, "this is no UTF-8 text: byte %#x", l.src[i])
		}
	}
	return nil
}

// wrong is an error at an offset.
func (l *lexer) wrong(at int, format string, args ...any) error {
	return &history.ParseError{Pos: placeIn(l.src, l.file, at), Msg: fmt.Sprintf(format, args...)}
}

// placeIn is where an offset is.
func placeIn(src, file string, at int) history.Pos {
	before := src[:at]
	begins := strings.LastIndexByte(before, '\n') + 1
	return history.Pos{File: file, Line: strings.Count(before, "\n") + 1, Col: utf8.RuneCountInString(before[begins:]) + 1}
}

// shorten is a text for a message.
func shorten(text string) string {
	if len(text) <= 40 {
		return text
	}
	cut := 40
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "..."
}
