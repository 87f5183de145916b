package theory

import (
	"strings"
	"unicode/utf8"
)

// A source is the text of a YAML file by lines. YAML nodes say where a scalar
// starts; the source tells where a place inside it is.
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
