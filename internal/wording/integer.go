package wording

// This file has the integers among values: their texts, and their order.

import (
	"cmp"
	"strings"
)

// IsInteger reports whether a text is an integer as formulas write it: without leading
// zeros, plus sign or -0, so that different texts are different numbers. It may
// have any number of digits.
func IsInteger[T ~string](s T) bool {
	digits := strings.TrimPrefix(string(s), "-")
	if digits == "" || digits[0] == '0' && s != "0" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
	}
	return true
}

// LessInteger reports whether the first of two texts is the smaller integer; false if
// one of them is no integer.
func LessInteger[T ~string](v, w T) bool {
	if !IsInteger(v) || !IsInteger(w) {
		return false
	}
	a, minusA := strings.CutPrefix(string(v), "-")
	b, minusB := strings.CutPrefix(string(w), "-")
	if minusA != minusB {
		return minusA
	}
	order := cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	return order < 0 && !minusA || order > 0 && minusA
}
