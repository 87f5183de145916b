package theory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// A decoder walks the nodes of a YAML document. It keeps the first error and
// goes on with zero values, so that its callers need not check each step.
type decoder struct {
	file string
	src  source
	err  error

	// The spec as far as it has been read. Its vocabulary grows with methods and
	// predicates; formulas come after them.
	spec  *Spec
	seen  map[string]map[string]int // what, name: line of its declaration
	parts int                       // of the formulas so far, their predicates written out
}

// plain refuses anchors, aliases and tags: a theory is what it looks like.
func (d *decoder) plain(n *node) {
	switch {
	case n.Anchor != "" || n.Kind == aliasNode:
		d.fail(n, "anchors and aliases are not for theory files; write the value out")
	case n.Style&taggedStyle != 0:
		d.fail(n, "tags are not for theory files; leave out %s", n.Tag)
	}
	for _, c := range n.Content {
		d.plain(c)
	}
}

// fail records an error at a node.
func (d *decoder) fail(n *node, format string, args ...any) {
	d.failAt(n.Line, n.Column, fmt.Sprintf(format, args...))
}

func (d *decoder) failAt(line, col int, msg string) {
	if d.err == nil {
		pos := history.Pos{File: d.file, Line: max(1, line), Col: max(1, col)}
		d.err = &history.ParseError{Pos: pos, Msg: msg}
	}
}

// readObject reads a mapping: first its keys, then the values in order of fields,
// wherever they stand in the file. What names the object in messages.
func readObject[S any](d *decoder, n *node, what string, fields []field[S], to *S) {
	if n.Kind != mappingNode {
		d.fail(n, "%s is a mapping, not %s", what, kindOf(n))
		return
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	values := d.keys(n, what, names)
	for _, f := range fields {
		if d.err != nil {
			return
		}
		switch v := values[f.name]; {
		case v != nil:
			f.read(d, v, to)
		case f.required:
			d.fail(n, "%s needs the field %q", what, f.name)
		}
	}
}

// valueOf is the value of a field, or nil.
func valueOf(n *node, name string) *node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// keys checks a mapping's keys and finds their values. Keys that start with x-
// are free.
func (d *decoder) keys(n *node, what string, names []string) map[string]*node {
	values := map[string]*node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != scalarNode:
			d.fail(k, "a field name is a word, not %s", kindOf(k))
		case values[k.Value] != nil:
			d.fail(k, "field %q stands here twice", k.Value)
		case !strings.HasPrefix(k.Value, "x-") && !slices.Contains(names, k.Value):
			d.fail(k, "%s has no field %q%s", what, k.Value, wording.Hint(k.Value, names))
		}
		values[k.Value] = v
	}
	return values
}

// list reads a sequence.
func (d *decoder) list(n *node, what string, item func(*node)) {
	if n.Kind != sequenceNode {
		d.fail(n, "%s is a list, not %s", what, kindOf(n))
		return
	}
	if len(n.Content) > maxItems {
		d.fail(n.Content[maxItems], "%s: a list in a theory has at most %d entries, and this one has %d", what, maxItems, len(n.Content))
	}
	for _, c := range n.Content {
		if d.err != nil {
			return
		}
		item(c)
	}
}

// text reads a string; numbers, booleans and null are none.
func (d *decoder) text(n *node, what string) string {
	if n.Kind == scalarNode && n.ShortTag() == "!!str" {
		return n.Value
	}
	hint := ""
	if n.Kind == scalarNode && n.Value != "" {
		hint = fmt.Sprintf("; write %q", n.Value)
	}
	d.fail(n, "%s is a string, not %s%s", what, kindOf(n), hint)
	return ""
}

// name reads a name that formulas may use.
func (d *decoder) name(n *node, what string) string {
	s := d.text(n, what)
	if d.err == nil && !wording.IsName(s) {
		d.fail(n, "%s is made of letters, digits and _, not %q", what, s)
	}
	return s
}

// outcome reads the name of an outcome. Drawings and logs distinguish it from values
// by its form.
func (d *decoder) outcome(n *node) history.Outcome {
	s := d.text(n, "an outcome")
	switch {
	case d.err != nil:
	case s == "null" || s == "empty":
		d.fail(n, "drawings and logs read %q as the outcome nil; call it nil here", s)
	case !wording.IsOutcomeName(s):
		d.fail(n, "an outcome is a word of two letters or more, not %q", s)
	}
	return history.Outcome(s)
}

// line reads a string without line breaks that says something.
func (d *decoder) line(n *node, what string) string {
	s := d.text(n, what)
	if d.err == nil && (strings.TrimSpace(s) == "" || strings.ContainsAny(s, "\r\n")) {
		d.fail(n, "%s is one line of text", what)
	}
	return s
}

// word reads one of several words.
func (d *decoder) word(n *node, what string, words ...string) string {
	s := d.text(n, what)
	if d.err == nil && !slices.Contains(words, s) {
		d.fail(n, "%s is %s, not %q%s", what, strings.Join(words, " or "), s, wording.Hint(s, words))
	}
	return s
}

// number reads an integer that is neither below least nor, unless it is
// negative, above most.
func (d *decoder) number(n *node, what string, least, most int) int {
	if n.Kind != scalarNode || n.ShortTag() != "!!int" {
		d.fail(n, "%s is a whole number, not %s", what, kindOf(n))
		return 0
	}
	v, err := strconv.Atoi(n.Value)
	switch {
	case err != nil:
		d.fail(n, "%s is a whole number in plain decimal digits, not %s", what, n.Value)
	case v < least:
		d.fail(n, "%s is at least %d, not %d", what, least, v)
	case most >= 0 && v > most:
		d.fail(n, "%s is at most %d, not %d", what, most, v)
	}
	return v
}

// truth reads a boolean.
func (d *decoder) truth(n *node, what string) bool {
	if n.Kind != scalarNode || n.ShortTag() != "!!bool" {
		d.fail(n, "%s is true or false, not %s", what, kindOf(n))
	}
	return n.Value == "true"
}

// declare fails unless a name is new among those of its kind, and remembers it.
func (d *decoder) declare(n *node, what, name string) {
	if d.err != nil {
		return
	}
	if d.seen[what] == nil {
		if d.seen == nil {
			d.seen = map[string]map[string]int{}
		}
		d.seen[what] = map[string]int{}
	}
	if line, ok := d.seen[what][name]; ok {
		d.fail(n, "%s %q is declared twice, first in line %d", what, name, line)
	}
	d.seen[what][name] = n.Line
}

// kindOf says what a node is, for messages.
func kindOf(n *node) string {
	switch n.Kind {
	case mappingNode:
		return "a mapping"
	case sequenceNode:
		return "a list"
	}
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "the boolean " + n.Value
	case "!!int", "!!float":
		return "the number " + n.Value
	case "!!str":
		return strconv.Quote(n.Value)
	default:
		return "a " + tag
	}
}

// A source is the text of a YAML file by lines. YAML nodes say where a scalar
// starts; the source says where a place inside it is.
type source []string

func newSource(text string) source {
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// position is the line and column (in characters) of the file that show the
// given line and column of a scalar's value. That is exact for scalars of one
// line without escapes and for literal blocks; otherwise it is the start.
func (s source) position(n *node, line, col int) (int, int) {
	inner := strings.Split(n.Value, "\n")
	if n.Style&literalStyle != 0 && line <= len(inner) {
		raw := s.line(n.Line + line)
		if strings.HasSuffix(raw, inner[line-1]) {
			return n.Line + line, chars(raw) - chars(inner[line-1]) + col
		}
	}
	if len(inner) == 1 {
		quote := 0
		if n.Style&(singleQuotedStyle|doubleQuotedStyle) != 0 {
			quote = 1
		}
		if strings.HasPrefix(skip(s.line(n.Line), n.Column-1+quote), n.Value) {
			return n.Line, n.Column + quote + col - 1
		}
	}
	return n.Line, n.Column
}

// line is the n-th line from 1, or "".
func (s source) line(n int) string {
	if n < 1 || n > len(s) {
		return ""
	}
	return s[n-1]
}

func chars(s string) int { return utf8.RuneCountInString(s) }

// skip leaves out the first n characters.
func skip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[i:]
		}
		n--
	}
	return ""
}
