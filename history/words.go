package history

import (
	"strings"
	"unicode"
)

// isOutcomeWord tells whether s can name an outcome where values may stand,
// too, in drawings and logs: two characters or more, the first a letter, the
// others letters, "_" or "-". So "true" and "full" can; "1", "v1" and "a" cannot.
func isOutcomeWord(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && (n == 0 || r != '_' && r != '-') {
			return false
		}
		n++
	}
	return n >= 2
}

// couldName reports whether s may name an outcome of some method, so that it
// takes quotes, or a field of its own, to say which of the two it is.
func couldName(s string) bool {
	return s == "-" || isOutcomeWord(s) || strings.HasPrefix(s, "error:")
}

// isNilWord tells whether people and logs write s for the nil outcome.
func isNilWord(s string) bool { return s == "-" || s == "empty" || s == "nil" || s == "null" }

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
