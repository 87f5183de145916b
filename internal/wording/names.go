package wording

// This file says which texts are names, wherever users write them: in theories,
// formulas, automata, logs and drawings.
//
//	IsName("add_2")         // true
//	NameLen("add(1)")       // 3
//	IsOutcomeName("true")   // true

import "unicode"

// IsName reports whether a text is a letter or underscore followed by letters, digits and
// underscores.
func IsName(s string) bool { return s != "" && NameLen(s) == len(s) }

// NameLen is the length in bytes of the name that a text starts with.
func NameLen(s string) int {
	for i, r := range s {
		if !StartsName(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}

// StartsName reports whether a name may start with a character.
func StartsName(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// IsOutcomeName reports whether a text can name an outcome where values may stand, too, in
// drawings and logs: two characters or more, the first a letter, the others letters, "_"
// or "-". So "true" and "full" can; "1", "v1" and "a" cannot.
func IsOutcomeName(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsLetter(r) && (n == 0 || r != '_' && r != '-') {
			return false
		}
		n++
	}
	return n >= 2
}
