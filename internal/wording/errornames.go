package wording

// This file names the errors that methods return, and finds the name of an error
// that a log has.
//
//	ErrorOf("already voted")                            // errAlreadyVoted
//	IsError("ErrClosed")                                // true
//	FindError(`get "a": not found`, []string{"not found"}) // 0

import (
	"slices"
	"strings"
	"unicode"
)

// IsError reports whether an outcome is an error, by its name: such names begin with err.
func IsError(outcome string) bool {
	return len(outcome) >= 3 && strings.EqualFold(outcome[:3], "err")
}

// Fits reports whether a method that has some outcomes may have another one, by its results: false where it has
// true alone, and an error of any name where it has errors, unless it has error, which stands for all others.
func Fits[T ~string](outcomes []T, other T) bool {
	switch o := string(other); {
	case slices.Contains(outcomes, other):
		return false
	case o == "true" || o == "false":
		return slices.ContainsFunc(outcomes, func(t T) bool { return t == "true" || t == "false" })
	default:
		fails := slices.ContainsFunc(outcomes, func(t T) bool { return IsError(string(t)) })
		return fails && IsError(o) && IsOutcomeName(o) && !slices.Contains(outcomes, "error")
	}
}

// ErrorOf is an outcome for errors of a text, or "" if the text has none: one with a number or a
// quotation in it is most likely another one each time.
func ErrorOf(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("\"'`%", r) }) {
		return ""
	}
	if name := errorLike(text); len(name) > len("err") && len(name) <= longest {
		return name
	}
	return ""
}

// StrangeError is an outcome for an error of a text that is none of some outcomes, whatever the
// text.
func StrangeError[T ~string](text string, others []T) T {
	name := errorLike(text)
	if len(name) == len("err") || len(name) > longest {
		name = "errStrange"
	}
	for slices.ContainsFunc(others, func(o T) bool { return strings.EqualFold(string(o), name) }) {
		name += "Strange"
	}
	return T(name)
}

// errorLike is err and the words of a text.
func errorLike(text string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		first := true
		for _, r := range word {
			if first {
				r = unicode.ToUpper(r)
			}
			first = false
			b.WriteRune(r)
		}
	}
	return "err" + b.String()
}

// longest bounds the names that texts become.
const longest = 63

// ErrorOfVariable is the outcome for the error that a variable of a package holds, or "": ErrClosed
// is ErrClosed, EOF is ErrEOF. Outcomes have no digits.
func ErrorOfVariable(name string) string {
	name = strings.TrimFunc(name, func(r rune) bool { return r == '_' })
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }):
		return ""
	case !IsError(name):
		name = "Err" + name
	}
	if strings.EqualFold(name, "error") || strings.EqualFold(name, "err") {
		return ""
	}
	return name
}

// FindError is the text that an error's has, or ends with behind a colon, as a wrapped error's
// does: the longest; else the one that it begins with, before a colon. It is -1 if there is none
// or if two fit. Of several lines only the whole text counts: they are errors that are joined.
func FindError(text string, of []string) int {
	lines := strings.ContainsRune(text, '\n')
	for _, fits := range []func(t string) bool{
		func(t string) bool { return text == t || !lines && strings.HasSuffix(text, ": "+t) },
		func(t string) bool { return !lines && strings.HasPrefix(text, t+": ") },
	} {
		best, twice := -1, false
		for i, t := range of {
			switch {
			case t == "" || !fits(t):
			case best < 0 || len(t) > len(of[best]):
				best, twice = i, false
			case len(t) == len(of[best]):
				twice = true
			}
		}
		if twice {
			return -1
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}
