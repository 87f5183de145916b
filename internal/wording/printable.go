package wording

// This file makes text from logs, programs and names fit for a terminal,
// and writes numbers of things.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Line is s with everything that is not printable escaped as in Go: what a
// program put into a name or a value then cannot move the cursor, color the
// screen, or begin another line.
func Line(s string) string { return escape(s, "") }

// Text is Line for text of several lines, with tabs.
func Text(s string) string { return escape(s, "\n\t") }

func escape(s, keep string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if strings.ContainsRune(keep, r) || strconv.IsPrint(r) && !(r == utf8.RuneError && n == 1) {
			b.WriteString(s[:n])
		} else {
			q := strconv.Quote(s[:n])
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String()
}

// Count is a number of things with a regular plural: "1 call", "1,234 histories".
func Count(n int, what string) string {
	switch stem, y := strings.CutSuffix(what, "y"); {
	case n == 1:
	case y:
		what = stem + "ies"
	default:
		what += "s"
	}
	return Number(n) + " " + what
}

// Number is a number that is not negative, its digits grouped: "1,234".
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Word is a word for a POSIX shell.
func Word(s string) string {
	plain := func(c rune) bool {
		return strings.ContainsRune("_-./:=,@%+", c) || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
