package history

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/suggest"
)

// textLine reads a line of a text log: "[ID] call m(V1, V2)" or
// "[ID] return V1, V2".
type textLine struct {
	*lines
	cursor
}

// done reports whether the line is over.
func (t *textLine) done() bool {
	if t.at == len(t.line) {
		return !t.more
	}
	return t.line[t.at] == '\n'
}

// Classes of characters.
const (
	inValue  = 1 << iota // in values without brackets
	inWord               // in names of methods
	inString             // in strings of JSON
)

// classes has the classes of each character. It is a constant table.
var classes = func() (class [256]uint8) {
	for c := range class {
		if strings.IndexByte(" \t(\n", byte(c)) < 0 {
			class[c] |= inWord
		}
		if c >= ' ' && c <= '~' {
			if strings.IndexByte(` ,"#()[]{}`, byte(c)) < 0 {
				class[c] |= inValue
			}
			if c != '"' && c != '\\' {
				class[c] |= inString
			}
		}
	}
	return class
}()

func (t *textLine) blanks() {
	s, i := t.line, t.at
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	t.at = i
}

// word moves past the characters up to a blank or an opening parenthesis.
func (t *textLine) word() string {
	s := t.line[t.at:]
	i, all := 0, byte(0)
	for i < len(s) && classes[s[i]]&inWord != 0 {
		all |= s[i]
		i++
	}
	t.all |= all
	t.at += i
	return s[:i]
}

func (t *textLine) read() error {
	if !t.readOp() {
		return errorAt(t.e.pos, `expected "[ID] call METHOD(VALUES)" or "[ID] return VALUES"`)
	}
	if t.e.op == "" {
		return errorAt(t.e.pos, "the operation's identifier, between [ and ], is empty")
	}
	t.blanks()
	start := t.at
	switch word := t.word(); word {
	case "call":
		t.e.call = true
		return t.readCall()
	case "return":
		return t.readReturn()
	default:
		return errorAt(t.e.at(start), `expected "call" or "return" after [%s], not %q%s`, t.e.op, word,
			suggest.Hint(word, []string{"call", "return"}))
	}
}

// readOp reads "[ID]".
func (t *textLine) readOp() bool {
	s := t.line[t.at:]
	if s[0] != '[' {
		return false
	}
	i, n := 1, 0
	for i < len(s) && s[i]-'0' <= 9 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i < len(s) && s[i] == ']' && i > 1 && i <= 1+maxDigits && (s[1] != '0' || i == 2) {
		t.e.op, t.e.number = s[1:i], n
		t.at += i + 1
		return true
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return false
	}
	t.all = 0x80
	t.e.op = strings.TrimSpace(s[1:end])
	t.e.number = numberOf(t.e.op)
	t.at += end + 1
	return true
}

// readCall reads "m(V1, V2)", "m()" or "m".
func (t *textLine) readCall() error {
	t.blanks()
	e := t.e
	e.methodAt = t.at
	if e.method = t.word(); e.method == "" {
		return errorAt(e.at(t.at), `the method is missing: write "[%s] call METHOD(VALUES)"`, e.op)
	}
	t.blanks()
	switch {
	case t.done():
		return nil
	case !strings.HasPrefix(t.line[t.at:], "("):
		return errorAt(e.at(t.at), `arguments stand in parentheses: write "%s(%s)"`, e.method, t.line[t.at:])
	}
	t.at++
	t.blanks()
	e.valuesAt = t.at
	if !strings.HasPrefix(t.line[t.at:], ")") {
		if err := t.readValues(); err != nil {
			return err
		}
		if !strings.HasPrefix(t.line[t.at:], ")") {
			return errorAt(e.at(t.at), `the arguments of %s lack a ")"`, e.method)
		}
	}
	t.at++
	t.blanks()
	if !t.done() {
		return errorAt(e.at(t.at), "unexpected %q after the call", t.line[t.at:])
	}
	return nil
}

// readReturn reads "V1, V2" or nothing; an error's message goes on to the end of
// the line.
func (t *textLine) readReturn() error {
	t.blanks()
	if t.done() {
		return nil
	}
	t.e.valuesAt = t.at
	if rest := t.line[t.at:]; strings.HasPrefix(rest, "error:") {
		t.all = 0x80
		t.e.values = append(t.e.values, raw{text: rest})
		return nil
	}
	if err := t.readValues(); err != nil {
		return err
	}
	if !t.done() {
		return errorAt(t.e.at(t.at), "unexpected %q after the returned values", t.line[t.at:])
	}
	return nil
}

// readValues reads one value or more, separated by commas.
func (t *textLine) readValues() error {
	for {
		t.blanks()
		s, i := t.line[t.at:], 0
		for i < len(s) && classes[s[i]]&inValue != 0 {
			i++
		}
		if i > 0 && (i == len(s) || s[i] == ',' || s[i] == ')' || s[i] == '\n') {
			t.e.values = append(t.e.values, raw{text: s[:i]})
			t.at += i
		} else if err := t.readRaw(); err != nil {
			return err
		}
		if t.at == len(t.line) || t.line[t.at] != ',' {
			return nil
		}
		t.at++
	}
}

// readRaw reads a value of any kind, and the blanks after it.
func (t *textLine) readRaw() error {
	t.all = 0x80
	v, n, msg := rawAt(t.line[t.at:])
	if msg != "" {
		return errorAt(t.e.at(t.at+n), "%s", msg)
	}
	if at := blankIn(v.text); at >= 0 && !v.quoted && !t.old {
		return errBlank(t.e.at(t.at+at), v.text)
	}
	t.e.values = append(t.e.values, v)
	t.at += n
	t.blanks()
	return nil
}

// rawAt takes the value at the start of s, which has no blanks before it; n is
// its length. A problem is described in msg, n then being the place.
func rawAt(s string) (r raw, n int, msg string) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return r, 0, `a quoted value ends with a quote on the same line ("\"" is a quote, "\\" a backslash)`
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return r, 0, "this quoted value cannot be read"
		}
		return raw{text: text, quoted: true}, len(quoted), ""
	}
	n, msg = endOfBare(s)
	if msg != "" {
		return r, n, msg
	}
	text := strings.TrimRight(s[:n], " \t")
	if text == "" {
		return r, 0, "a value is missing"
	}
	return raw{text: text}, n, ""
}

const (
	openers = "([{"
	closers = ")]}"
)

// endOfBare is the length of the unquoted value at the start of s: up to a comma
// or a closing bracket outside all brackets. The second result says what is wrong
// with it, if something is.
func endOfBare(s string) (int, string) {
	const unpaired = "brackets in a value come in pairs; quote the value"
	var room [8]byte
	open := room[:0] // the closing brackets to come
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '#':
			return i, `a comment stands on a line of its own, and a value that contains "#" in quotes`
		case c == '"':
			return i, `quotes stand around a whole value`
		case strings.IndexByte(openers, c) >= 0:
			open = append(open, closers[strings.IndexByte(openers, c)])
		case len(open) > 0 && c == open[len(open)-1]:
			open = open[:len(open)-1]
		case len(open) == 0 && (c == ',' || c == ')'):
			return i, ""
		case strings.IndexByte(closers, c) >= 0:
			return i, unpaired
		}
	}
	if len(open) > 0 {
		return len(s), unpaired
	}
	return len(s), ""
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

// isBare reports whether a text log may have s without quotes: no blanks, commas,
// quotes, #, control characters or invalid UTF-8, and brackets only in pairs.
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
