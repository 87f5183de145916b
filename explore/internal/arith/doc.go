// Package arith computes with words as Go computes with numbers and strings: wrapping,
// rounding, and the texts of its panics. Its functions are pure, but for the numbers of new
// strings.
//
//	Binary, Unary, Shift, Convert   numbers
//	Strings, Substring, CharAt      strings, by their number or text
//	NextRune, Text                  their runes and bytes
//	OutOfRange, SliceBounds         what panics say
package arith
