package history

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Raw is a value as a log has it, before a Signature says whether it is a
// value or names an outcome.
type Raw struct {
	Text    string
	Quoted  bool // it is a value and names no outcome
	Outcome bool // it names an outcome and is no value
}

// String writes the value as a text log has it.
func (r Raw) String() string {
	if r.Quoted || !isBare(r.Text) {
		return strconv.Quote(r.Text)
	}
	return r.Text
}

// isBare tells whether a text log may have s without quotes: no blanks,
// commas, quotes, #, control characters or invalid UTF-8, and brackets only in
// pairs.
func isBare(s string) bool {
	if s == "" || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r == ',' || r == '"' || r == '#' || r == utf8.RuneError || !strconv.IsGraphic(r) || r == ' ' {
			return false
		}
	}
	n, msg := endOfBare(s)
	return msg == "" && n == len(s)
}

const (
	openers = "([{"
	closers = ")]}"
)

// endOfBare is the length of the unquoted value at the start of s: up to a
// comma or a closing bracket outside all brackets. The second result says what
// is wrong with it, if something is.
func endOfBare(s string) (int, string) {
	var bufStack [8]byte
	stack := bufStack[:0]
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '#':
			return i, `a comment stands on a line of its own, and a value that contains "#" in quotes`
		case c == '"':
			return i, `quotes stand around a whole value`
		case strings.IndexByte(openers, c) >= 0:
			stack = append(stack, closers[strings.IndexByte(openers, c)])
		case len(stack) > 0 && c == stack[len(stack)-1]:
			stack = stack[:len(stack)-1]
		case len(stack) == 0 && (c == ',' || c == ')'):
			return i, ""
		case strings.IndexByte(closers, c) >= 0:
			return i, "brackets in a value come in pairs; quote the value"
		}
	}
	if len(stack) > 0 {
		return len(s), "brackets in a value come in pairs; quote the value"
	}
	return len(s), ""
}

// readRaw takes the value at the start of s, which has no blanks before it; n
// is its length. A problem is described in msg, n then being the place.
func readRaw(s string) (r Raw, n int, msg string) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return r, 0, `a quoted value ends with a quote on the same line ("\"" is a quote, "\\" a backslash)`
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return r, 0, "this quoted value cannot be read"
		}
		return Raw{Text: text, Quoted: true}, len(quoted), ""
	}
	n, msg = endOfBare(s)
	if msg != "" {
		return r, n, msg
	}
	text := strings.TrimRight(s[:n], " \t")
	if text == "" {
		return r, 0, "a value is missing"
	}
	return Raw{Text: text}, n, ""
}

// blankIn is the place after the first blanks of a value that are outside its
// brackets, or -1.
func blankIn(text string) int {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case strings.IndexByte(openers, c) >= 0:
			depth++
		case strings.IndexByte(closers, c) >= 0:
			depth--
		case depth == 0 && (c == ' ' || c == '\t'):
			return len(text) - len(strings.TrimLeft(text[i:], " \t"))
		}
	}
	return -1
}
