package history

import "unicode"

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

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
