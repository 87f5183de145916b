package foreign

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lexer goes through the forms of EDN.
type lexer struct {
	src, file string
	at        int
}

// symbols are the bytes of symbols and keywords, besides # and ' within.
var symbols = func() (t [256]bool) {
	for c := range t {
		t[c] = c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
	}
	for _, c := range []byte(".*+!-_?$%&=<>/:|") {
		t[c] = true
	}
	return t
}()

func (l *lexer) end() bool { return l.at >= len(l.src) }

// ends are the bytes that end a token.
var ends = func() (t [256]bool) {
	for _, c := range []byte(" \t\r\n\f\v,;()[]{}\"") {
		t[c] = true
	}
	return t
}()

// blanks skips what separates forms: blanks, commas, comments, and forms after #_.
func (l *lexer) blanks() error { return l.skipBlanks(1) }

func (l *lexer) skipBlanks(depth int) error {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == ' ', c == ',', c == '\n', c == '\t', c == '\r', c == '\f', c == '\v':
			l.at++
		case c == ';':
			n := strings.IndexByte(l.src[l.at:], '\n')
			if n < 0 {
				n = len(l.src) - l.at
			}
			l.at += n
		case c == '#' && strings.HasPrefix(l.src[l.at:], "#_"):
			start := l.at
			l.at += 2
			if err := l.form(start, "#_ has nothing after it to leave out", depth+1); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}

// form skips the form that has to follow what starts there.
func (l *lexer) form(start int, missing string, depth int) error {
	if depth > maxDepth {
		return l.wrong(start, "nested deeper than %d", maxDepth)
	}
	if err := l.skipBlanks(depth); err != nil {
		return err
	}
	if l.end() || strings.IndexByte("])}", l.src[l.at]) >= 0 {
		return l.wrong(start, "%s", missing)
	}
	return l.skip(depth)
}

// skip goes past a form, which must begin here.
func (l *lexer) skip(depth int) error {
	start := l.at
	if depth > maxDepth {
		return l.wrong(start, "nested deeper than %d", maxDepth)
	}
	switch l.src[start] {
	case '[', '(', '{':
		return l.collection(start, depth)
	case ']', ')', '}':
		return l.wrong(start, "%c closes nothing", l.src[start])
	case '"':
		return l.quoted()
	case '\\':
		return l.character()
	case '#':
		return l.dispatch(depth)
	}
	for l.at < len(l.src) && !ends[l.src[l.at]] {
		l.at++
	}
	return l.token(start)
}

// collection skips a vector, list, map or set whose bracket is here.
func (l *lexer) collection(start, depth int) error {
	open, n := l.at, 0
	l.at++
	for ; ; n++ {
		if err := l.skipBlanks(depth); err != nil {
			return err
		}
		if l.end() {
			return l.wrong(start, "this %c is never closed", l.src[open])
		}
		if c := l.src[l.at]; c == ']' || c == ')' || c == '}' {
			break
		}
		if err := l.skip(depth + 1); err != nil {
			return err
		}
	}
	if l.src[start] == '{' && n%2 != 0 {
		return l.wrong(start, "a map has an even number of forms; this one has %d", n)
	}
	return l.closing(open)
}

// closing goes past the bracket here, which closes the one at open.
func (l *lexer) closing(open int) error {
	want := byte(']')
	switch l.src[open] {
	case '(':
		want = ')'
	case '{':
		want = '}'
	}
	if c := l.src[l.at]; c != want {
		return l.wrong(l.at, "%c cannot close the %c of %s", c, l.src[open], l.lineOf(open))
	}
	l.at++
	return nil
}

func (l *lexer) lineOf(at int) string {
	p := placeIn(l.src, "", at)
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// dispatch skips what begins with #.
func (l *lexer) dispatch(depth int) error {
	start := l.at
	rest := l.src[start+1:]
	switch {
	case rest == "":
		return l.wrong(start, "# has nothing after it")
	case rest[0] == '{':
		l.at++
		return l.collection(start, depth)
	case rest[0] == '#':
		for l.at < len(l.src) && !ends[l.src[l.at]] {
			l.at++
		}
		if t := l.src[start:l.at]; t != "##Inf" && t != "##-Inf" && t != "##NaN" {
			return l.wrong(start, "%s is no value: there are ##Inf, ##-Inf and ##NaN", shorten(t))
		}
		return nil
	case !isTag(rest[0]):
		return l.wrong(start, "# begins a set #{...} or a tag such as #inst; not this")
	}
	for l.at++; l.at < len(l.src) && !ends[l.src[l.at]]; l.at++ {
	}
	return l.form(start, "the tag "+shorten(l.src[start:l.at])+" has no value", depth+1)
}

// tag goes past a tag, to the form that it is about.
func (l *lexer) tag() error {
	start := l.at
	for l.at++; l.at < len(l.src) && !ends[l.src[l.at]]; l.at++ {
	}
	if err := l.skipBlanks(1); err != nil {
		return err
	}
	if l.end() {
		return l.wrong(start, "the tag has no value")
	}
	return nil
}

func isTag(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf }

// quoted skips a string.
func (l *lexer) quoted() error {
	start := l.at
	for i := start + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '"':
			l.at = i + 1
			return nil
		case '\\':
			n := escapeAt(l.src[i:])
			if n == 0 {
				return l.wrong(i, `a string has the escapes \t \r \n \b \f \\ \" and \u with four hexadecimal digits`)
			}
			i += n - 1
		}
	}
	return l.wrong(start, "this string is never closed")
}

// escapeAt is the length of the escape that a text begins with; 0: none.
func escapeAt(s string) int {
	switch {
	case len(s) < 2:
	case strings.IndexByte(`trnbf\"`, s[1]) >= 0:
		return 2
	case s[1] == 'u' && len(s) >= 6:
		if _, err := strconv.ParseUint(s[2:6], 16, 32); err == nil {
			return 6
		}
	}
	return 0
}

// character skips \c, \newline or \u0041.
func (l *lexer) character() error {
	start := l.at
	_, n := utf8.DecodeRuneInString(l.src[start+1:])
	if n == 0 || strings.IndexByte(" \t\r\n\f\v", l.src[start+1]) >= 0 {
		return l.wrong(start, `\ has no character after it; a blank is \space`)
	}
	for l.at += 1 + n; l.at < len(l.src) && !ends[l.src[l.at]]; l.at++ {
	}
	if name := l.src[start+1 : l.at]; len(name) > n && characterOf(name) == "" {
		return l.wrong(start, `\%s is no character`, shorten(name))
	}
	return nil
}

// characterOf is the character of a name of several letters.
func characterOf(name string) string {
	switch name {
	case "newline":
		return "\n"
	case "return":
		return "\r"
	case "space":
		return " "
	case "tab":
		return "\t"
	case "formfeed":
		return "\f"
	case "backspace":
		return "\b"
	}
	if name[0] == 'u' && len(name) == 5 {
		if n, err := strconv.ParseUint(name[1:], 16, 32); err == nil {
			return string(rune(n))
		}
	}
	return ""
}

// token checks a number, keyword or symbol that ends here.
func (l *lexer) token(start int) error {
	text := l.src[start:l.at]
	if c := text[0]; c >= '0' && c <= '9' || len(text) > 1 && (c == '-' || c == '+') && text[1] >= '0' && text[1] <= '9' {
		if !isNumber(text) {
			return l.wrong(start, "%s is no number", shorten(text))
		}
		return nil
	}
	for i := range len(text) {
		if c := text[i]; !symbols[c] && (i == 0 || c != '#' && c != '\'') {
			return l.wrong(start+i, "unexpected character %q", c)
		}
	}
	if text[len(text)-1] == ':' && strings.Trim(text, ":") == "" {
		return l.wrong(start, "a keyword has a name, as in :read")
	}
	return nil
}

// canonical appends a collection's text: one blank between forms, lists as vectors,
// the elements of sets and the entries of maps in order. The form has been skipped before
// and is known to be right.
func (l *lexer) canonical(dst []byte) []byte {
	start := l.at
	switch c := l.src[start]; {
	case c == '[' || c == '(':
		return l.elements(append(dst, '['), ']', 1, false)
	case c == '{':
		return l.elements(append(dst, '{'), '}', 2, true)
	case c == '#' && l.src[start+1] == '{':
		l.at++
		return l.elements(append(dst, '#', '{'), '}', 1, true)
	case c == '#' && isTag(l.src[start+1]):
		for !ends[l.src[l.at]] {
			l.at++
		}
		dst = append(append(dst, l.src[start:l.at]...), ' ')
		l.blanks()
		return l.canonical(dst)
	}
	l.skip(1)
	switch text := l.src[start:l.at]; {
	case isInteger(text):
		return append(dst, plainInteger(text)...)
	case radixInteger(text) != "":
		return append(dst, radixInteger(text)...)
	}
	return append(dst, l.src[start:l.at]...)
}

// elements appends forms, so many together, up to the closing bracket.
func (l *lexer) elements(dst []byte, closing byte, together int, sorted bool) []byte {
	var all []string
	l.at++
	for l.blanks(); strings.IndexByte("])}", l.src[l.at]) < 0; l.blanks() {
		var one []byte
		for i := range together {
			if i > 0 {
				one = append(one, ' ')
			}
			l.blanks()
			one = l.canonical(one)
		}
		all = append(all, string(one))
	}
	l.at++
	if sorted {
		slices.Sort(all)
	}
	for i, s := range all {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, s...)
	}
	return append(dst, closing)
}
