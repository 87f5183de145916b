package history

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// quick reads a line of the most usual form, "[ID] call m(V1, V2)" or
// "[ID] return V1, V2", ID being perhaps OPERATION@PROCESS, with nothing but printable ASCII and no quotes or brackets in it,
// and returns where the next one begins. It is -1 for all others, which are read with more
// care, even if the event is changed.
func (e *event) quick(s string) int {
	if s[0] != '[' {
		return -1
	}
	i, n := 1, 0
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		n = n*10 + int(s[i]-'0')
	}
	if i == 1 || i > 1+maxDigits || s[1] == '0' && i > 2 || i < len(s) && s[i] != ']' {
		i = simple(s, i)
		n = numberOf(s[1:i])
	}
	if len(s)-i < len("] return\n") || i == 1 || s[i] != ']' || s[i+1] != ' ' {
		return -1
	}
	if e.op, e.number = s[1:i], n; n < 0 {
		e.ofProcess()
	}
	switch i += 2; {
	case strings.HasPrefix(s[i:], "call "):
		e.call, e.methodAt = true, i+len("call ")
		i = simple(s, e.methodAt)
		if e.method = s[e.methodAt:i]; e.method == "" {
			return -1
		}
		if i < len(s) && s[i] == '(' {
			if e.valuesAt = i + 1; i+1 < len(s) && s[i+1] == ')' {
				i++
			} else if i = e.quickValues(s, i+1); i == len(s) || s[i] != ')' {
				return -1
			}
			i++
		}
	case strings.HasPrefix(s[i:], "return "):
		if e.valuesAt = i + len("return "); strings.HasPrefix(s[e.valuesAt:], "error:") {
			return -1
		}
		i = e.quickValues(s, e.valuesAt)
	case strings.HasPrefix(s[i:], "return\n"):
		i += len("return")
	default:
		return -1
	}
	if i == len(s) || s[i] != '\n' {
		return -1
	}
	return i + 1
}

// simple moves past printable ASCII without blanks, commas, quotes and brackets.
func simple(s string, i int) int {
	for i < len(s) && classes[s[i]]&inValue != 0 {
		i++
	}
	return i
}

// quickValues moves past values of simple characters, and returns where they end, or the
// length of s if there are none.
func (e *event) quickValues(s string, i int) int {
	for {
		start := i
		if i = simple(s, i); i == start {
			return len(s)
		}
		e.values = append(e.values, raw{text: s[start:i]})
		if i == len(s) || s[i] != ',' {
			return i
		}
		if i++; i < len(s) && s[i] == ' ' {
			i++
		}
	}
}

// textLine reads a line of a text log: "[ID] call m(V1, V2)" or
// "[ID] return V1, V2". ID may be OPERATION@PROCESS.
type textLine struct {
	*lines
	cursor
}

// The methods that read take the place where to begin, and say where they ended:
// kept in the line itself it would go through memory at each step.

// done reports whether the line is over at i.
func (t *textLine) done(i int) bool { return i == len(t.line) }

// is reports whether a character stands at i.
func (t *textLine) is(c byte, i int) bool { return i < len(t.line) && t.line[i] == c }

// Classes of characters.
const (
	inValue  = 1 << iota // in values without brackets
	inWord               // in names of methods
	inString             // in strings of JSON
)

// classes has the classes of each character. It is a constant table.
var classes = func() (class [256]uint8) {
	for c := range class {
		if strings.IndexByte(" \t(", byte(c)) < 0 {
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

// blanks moves past blanks.
func (t *textLine) blanks(i int) int {
	for i < len(t.line) && (t.line[i] == ' ' || t.line[i] == '\t') {
		i++
	}
	return i
}

// word moves past the characters up to a blank or an opening parenthesis.
func (t *textLine) word(i int) int {
	s, all := t.line, byte(0)
	for i < len(s) && classes[s[i]]&inWord != 0 {
		all |= s[i]
		i++
	}
	t.all |= all
	return i
}

// read reads the line from t.at on.
func (t *textLine) read() (err error) {
	i := t.readOp(t.at)
	if i < 0 {
		return errorAt(t.e.pos, `expected "[ID] call METHOD(VALUES)" or "[ID] return VALUES"`)
	}
	if t.e.op == "" {
		return errorAt(t.e.pos, "the operation's identifier, between [ and ], is empty")
	}
	start := t.blanks(i)
	i = t.word(start)
	switch word := t.line[start:i]; word {
	case "call":
		t.at, err = t.readCall(i)
	case "return":
		t.at, err = t.readReturn(i)
	default:
		err = errorAt(t.e.at(start), `expected "call" or "return" after [%s], not %q%s`, t.e.op, word,
			wording.Hint(word, []string{"call", "return"}))
	}
	return err
}

// readOp reads "[ID]"; -1 if it is not there.
func (t *textLine) readOp(at int) int {
	s := t.line[at:]
	if s[0] != '[' {
		return -1
	}
	i, n := 1, 0
	for i < len(s) && s[i]-'0' <= 9 {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i < len(s) && s[i] == ']' && i > 1 && i <= 1+maxDigits && (s[1] != '0' || i == 2) {
		t.e.op, t.e.number = s[1:i], n
		return at + i + 1
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return -1
	}
	t.all = 0x80
	t.e.op = strings.TrimSpace(s[1:end])
	t.e.number = numberOf(t.e.op)
	t.e.ofProcess()
	return at + end + 1
}

// readCall reads "m(V1, V2)", "m()" or "m".
func (t *textLine) readCall(i int) (end int, err error) {
	e := t.e
	e.call = true
	e.methodAt = t.blanks(i)
	i = t.word(e.methodAt)
	if e.method = t.line[e.methodAt:i]; e.method == "" {
		return i, errorAt(e.at(i), `the method is missing: write "[%s] call METHOD(VALUES)"`, e.op)
	}
	i = t.blanks(i)
	switch {
	case t.done(i):
		return i, nil
	case !t.is('(', i):
		return i, errorAt(e.at(i), `arguments stand in parentheses: write "%s(%s)"`, e.method, t.line[i:])
	}
	i = t.blanks(i + 1)
	e.valuesAt = i
	if !t.is(')', i) {
		if i, err = t.readValues(i, false); err != nil {
			return i, err
		}
		if !t.is(')', i) {
			return i, errorAt(e.at(i), `the arguments of %s lack a ")"`, e.method)
		}
	}
	i = t.blanks(i + 1)
	if !t.done(i) {
		return i, errorAt(e.at(i), "unexpected %q after the call", t.line[i:])
	}
	return i, nil
}

// readReturn reads "V1, V2" or nothing; an error's message goes on to the end of
// the line.
func (t *textLine) readReturn(i int) (end int, err error) {
	i = t.blanks(i)
	if t.done(i) {
		return i, nil
	}
	t.e.valuesAt = i
	if rest := t.line[i:]; strings.HasPrefix(rest, "error:") {
		t.all = 0x80
		t.e.values = append(t.e.values, raw{text: rest})
		return i, nil
	}
	if i, err = t.readValues(i, true); err != nil {
		return i, err
	}
	if !t.done(i) {
		return i, errorAt(t.e.at(i), "unexpected %q after the returned values", t.line[i:])
	}
	return i, nil
}

// readValues reads one value or more, separated by commas. Of those that are returned, the
// last may be an error, whose text goes on to the end of the line.
func (t *textLine) readValues(i int, returned bool) (end int, err error) {
	for s := t.line; ; i++ {
		start := t.blanks(i)
		if returned && strings.HasPrefix(s[start:], "error:") {
			t.all = 0x80
			t.e.values = append(t.e.values, raw{text: strings.TrimRight(s[start:], " \t")})
			return len(s), nil
		}
		if i = simple(s, start); i > start && (i == len(s) || s[i] == ',' || s[i] == ')') {
			t.e.values = append(t.e.values, raw{text: s[start:i]})
		} else if i, err = t.readRaw(start); err != nil {
			return i, err
		}
		if !t.is(',', i) {
			return i, nil
		}
	}
}

// readRaw reads a value of any kind, and the blanks after it.
func (t *textLine) readRaw(i int) (end int, err error) {
	t.all = 0x80
	v, n, msg := rawAt(t.line[i:])
	if msg != "" {
		return i, errorAt(t.e.at(i+n), "%s", msg)
	}
	if at := blankIn(v.text); at >= 0 && !v.quoted {
		return i, errBlank(t.e.at(i+at), v.text)
	}
	t.e.values = append(t.e.values, v)
	return t.blanks(i + n), nil
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
		case c == '"' && len(open) > 0: // of a part, as in {Name:"a b"}
			quoted, err := strconv.QuotedPrefix(s[i:])
			if err != nil {
				return i, `a quoted part of a value ends with a quote on the same line`
			}
			i += len(quoted) - 1
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
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			if quoted, err := strconv.QuotedPrefix(text[i:]); err == nil && depth > 0 {
				i += len(quoted) - 1
			}
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
// quotes, #, control characters or invalid UTF-8, and brackets only in pairs; and no _, no
// number or bool in an unusual way, for it is a text.
func isBare(s string) bool {
	if s == "" || s == unknownValue || !utf8.ValidString(s) || wording.IsUnusual(s) {
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
