// Package names says which texts are names, wherever users write them: in theories,
// formulas, automata, logs and drawings.
//
//	names.Is("add_2")         // true
//	names.Len("add(1)")       // 3
//	names.IsOutcome("true")   // true
package names

import "unicode"

// Is reports whether a text is a letter or underscore followed by letters, digits and
// underscores.
func Is(s string) bool { return s != "" && Len(s) == len(s) }

// Len is the length in bytes of the name that a text starts with.
func Len(s string) int {
	for i, r := range s {
		if !Starts(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}

// Starts reports whether a name may start with a character.
func Starts(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// IsOutcome reports whether a text can name an outcome where values may stand, too, in
// drawings and logs: two characters or more, the first a letter, the others letters, "_"
// or "-". So "true" and "full" can; "1", "v1" and "a" cannot.
func IsOutcome(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && (n == 0 || r != '_' && r != '-') {
			return false
		}
		n++
	}
	return n >= 2
}
