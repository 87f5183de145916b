package machine

import (
	"fmt"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
)

// Strings is a op b of strings.
func Strings(strings *ir.Strings, op ir.Op, a, b ir.Word) ir.Word {
	switch op {
	case ir.Add:
		switch {
		case a == 0:
			return b
		case b == 0:
			return a
		}
		return strings.Number(strings.Text(a) + strings.Text(b))
	case ir.Eq:
		return truth(a == b)
	case ir.Ne:
		return truth(a != b)
	case ir.Lt:
		return truth(strings.Text(a) < strings.Text(b))
	case ir.Le:
		return truth(strings.Text(a) <= strings.Text(b))
	}
	panic("no operation of strings")
}

// CharAt is byte i of a string; i is of type num.
func CharAt(text string, num ir.Num, i ir.Word) (w ir.Word, panics string) {
	if i >= ir.Word(len(text)) {
		return 0, OutOfRange(num, i, len(text))
	}
	return ir.Word(text[i]), ""
}

// Substring is text[from:to].
func Substring(strings *ir.Strings, a, from, to ir.Word) (w ir.Word, panics string) {
	text := strings.Text(a)
	if panics = SliceBounds("length", ir.Word(len(text)), from, to); panics != "" {
		return 0, panics
	}
	if to-from == ir.Word(len(text)) {
		return a, ""
	}
	return strings.Number(text[from:to]), ""
}

// NextRune is one step of a range over a string: whether there is a rune at byte i, its
// index, the rune, and the index of the next one.
func NextRune(text string, i ir.Word) (ok, index, char, next ir.Word) {
	if i >= ir.Word(len(text)) {
		return 0, 0, 0, i
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	return 1, i, ir.Word(int64(r)), i + ir.Word(n)
}

// Text is the string of the elements of a slice: bytes, or runes.
func Text(strings *ir.Strings, elements []ir.Word, runes bool) ir.Word {
	var space [64]byte
	text := space[:0]
	for _, w := range elements {
		if runes {
			text = utf8.AppendRune(text, rune(int32(w)))
		} else {
			text = append(text, byte(w))
		}
	}
	return strings.NumberOf(text)
}

// What Go says of an index, or of the bounds of a slice, that is out of range. Numbers of
// signed types may be negative; then their limit is not told.

func OutOfRange(num ir.Num, i ir.Word, length int) string {
	if signed(num) && int64(i) < 0 {
		return fmt.Sprintf("runtime error: index out of range [%d]", int64(i))
	}
	return fmt.Sprintf("runtime error: index out of range [%d] with length %d", i, length)
}

// SliceBounds checks 0 <= from <= to <= limit, which is a length or a capacity.
func SliceBounds(what string, limit, from, to ir.Word) string {
	const text = "runtime error: slice bounds out of range "
	switch {
	case int64(to) < 0:
		return fmt.Sprintf(text+"[:%d]", int64(to))
	case to > limit:
		return fmt.Sprintf(text+"[:%d] with %s %d", to, what, limit)
	case int64(from) < 0:
		return fmt.Sprintf(text+"[%d:]", int64(from))
	case from > to:
		return fmt.Sprintf(text+"[%d:%d]", from, to)
	}
	return ""
}

// FullSliceBounds checks 0 <= from <= to <= most <= limit.
func FullSliceBounds(what string, limit, from, to, most ir.Word) string {
	const text = "runtime error: slice bounds out of range "
	switch {
	case int64(most) < 0:
		return fmt.Sprintf(text+"[::%d]", int64(most))
	case most > limit:
		return fmt.Sprintf(text+"[::%d] with %s %d", most, what, limit)
	case int64(to) < 0:
		return fmt.Sprintf(text+"[:%d:]", int64(to))
	case to > most:
		return fmt.Sprintf(text+"[:%d:%d]", to, most)
	case int64(from) < 0:
		return fmt.Sprintf(text+"[%d::]", int64(from))
	case from > to:
		return fmt.Sprintf(text+"[%d:%d:]", from, to)
	}
	return ""
}
