package formula

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

type tokenKind int

const (
	tokEnd   tokenKind = iota
	tokName            // identifier or reserved word
	tokQuote           // quoted string; text is unquoted
	tokInt             // integer; text is its canonical form
	tokPunct           // operator or punctuation; text is its ASCII form
)

// A token with the place it starts at; lines and columns (in characters) count from 1.
type token struct {
	kind      tokenKind
	text      string
	raw       string // as written
	line, col int
}

// String names the token in error messages.
func (t token) String() string {
	if t.kind == tokEnd {
		return "end of formula"
	}
	return strconv.Quote(t.raw)
}

// operators are tried in order, so that the longest comes first.
var operators = []struct{ written, means string }{
	{"<->", "<->"}, {"->", "->"}, {"!=", "!="},
	{"&", "&"}, {"|", "|"}, {"!", "!"}, {"=", "="}, {"<", "<"},
	{"(", "("}, {")", ")"}, {",", ","}, {":", ":"}, {".", "."},
	{"∧", "&"}, {"∨", "|"}, {"¬", "!"}, {"≠", "!="},
	{"→", "->"}, {"⇒", "->"}, {"↔", "<->"}, {"⇔", "<->"},
}

// foreign operators belong to other languages; the error says what to write.
var foreign = []struct{ written, instead string }{
	{"<=>", "<->"}, {"=>", "->"}, {"==", "="}, {"&&", "&"}, {"||", "|"}, {"/\\", "&"}, {"\\/", "|"}, {"~", "!"},
	{"<>", "!="}, {"<=", "a < b | a = b"}, {">=", "b < a | a = b"}, {">", "b < a"}, {"≤", "a < b | a = b"}, {"≥", "b < a | a = b"},
}

// A lexer cuts a source text into tokens.
type lexer struct {
	rest      string
	line, col int
}

// lex returns all tokens of a text, the last one of kind tokEnd.
func lex(src string) ([]token, *history.ParseError) {
	l := lexer{rest: src, line: 1, col: 1}
	toks := make([]token, 0, min(len(src)/3, maxTokens)+8) // there are about as many
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		toks = append(toks, t)
		switch {
		case t.kind == tokEnd:
			return toks, nil
		case len(toks) > maxTokens:
			return nil, errorAt(t, "%s", extent{parts: maxParts + 1}.excess())
		}
	}
}

// next skips white space and reads one token.
func (l *lexer) next() (token, *history.ParseError) {
	for l.rest != "" {
		r, n := utf8.DecodeRuneInString(l.rest)
		if !unicode.IsSpace(r) {
			break
		}
		l.take(n)
	}
	t := token{line: l.line, col: l.col}
	if l.rest == "" {
		return t, nil
	}
	r, _ := utf8.DecodeRuneInString(l.rest)
	switch {
	case r == '∀' || r == '∃':
		t.kind, t.raw, t.text = tokName, l.take(utf8.RuneLen(r)), "forall"
		if r == '∃' {
			t.text = "exists"
		}
		return t, nil
	case wording.StartsName(r):
		t.kind, t.raw = tokName, l.take(wording.NameLen(l.rest))
		t.text = t.raw
		return t, nil
	case r == '"':
		return l.quoted(t)
	case isDigit(r) || r == '-' && len(l.rest) > 1 && isDigit(rune(l.rest[1])):
		return l.integer(t)
	}
	return l.operator(t)
}

func (l *lexer) quoted(t token) (token, *history.ParseError) {
	raw, err := strconv.QuotedPrefix(l.rest)
	if err != nil {
		return t, errorAt(t, "the string is not closed, or has a bad escape")
	}
	text, err := strconv.Unquote(raw)
	if err != nil {
		return t, errorAt(t, "bad string %s", raw)
	}
	t.kind, t.text, t.raw = tokQuote, text, l.take(len(raw))
	return t, nil
}

func (l *lexer) integer(t token) (token, *history.ParseError) {
	n := 1
	for n < len(l.rest) && isDigit(rune(l.rest[n])) {
		n++
	}
	t.kind, t.raw = tokInt, l.take(n)
	t.text = t.raw
	if !wording.IsInteger(t.text) {
		return t, errorAt(t, "integers have no leading zeros; quote the value if it is written so: %q", t.raw)
	}
	if r, _ := utf8.DecodeRuneInString(l.rest); l.rest != "" && wording.StartsName(r) {
		return t, errorAt(t, "a name cannot start with a digit; values are written in quotes")
	}
	return t, nil
}

func (l *lexer) operator(t token) (token, *history.ParseError) {
	for _, o := range foreign {
		if hasPrefix(l.rest, o.written) && !hasPrefix(l.rest, "<->") {
			return t, errorAt(t, "unexpected %q; write %s", o.written, o.instead)
		}
	}
	for _, o := range operators {
		if hasPrefix(l.rest, o.written) {
			t.kind, t.text, t.raw = tokPunct, o.means, l.take(len(o.written))
			return t, nil
		}
	}
	r, _ := utf8.DecodeRuneInString(l.rest)
	return t, errorAt(t, "unexpected character %q", r)
}

// take removes n bytes from the input and returns them.
func (l *lexer) take(n int) string {
	s := l.rest[:n]
	for _, r := range s {
		l.col++
		if r == '\n' {
			l.line, l.col = l.line+1, 1
		}
	}
	l.rest = l.rest[n:]
	return s
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
