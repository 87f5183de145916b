//go:build go1.21

package values

import (
	"strings"
	"time"
)

// fewParts is how many different parts shaped values have, and one more than their lists.
const fewParts = 3

// HasParts reports whether values of a type have parts, perhaps several.
func (b Basic) HasParts() bool {
	b = b.inner()
	switch b.Kind {
	case KindStruct:
		return len(b.Fields) > 1 || len(b.Fields) == 1 && b.Fields[0].HasParts()
	case KindList, KindMap:
		return b.Len != 1 && b.Elem.Kind != ""
	case KindPointer:
		return b.Elem.HasParts()
	}
	return false
}

// Several reports whether a type has more than some values.
func (b Basic) Several(than int) bool { return b.count(than) > than }

// count is how many values a type has, or a number above most.
func (b Basic) count(most int) int {
	n := 1
	switch {
	case b.Kind == KindBool:
		return 2
	case b.Kind == KindStruct:
		for i := 0; i < len(b.Fields) && n <= most; i++ {
			n *= b.Fields[i].count(most)
		}
		return n
	case b.Kind == KindList && b.Len > 0:
		for i := 1; i < b.Len && n <= most; i++ {
			n *= b.Elem.count(most)
		}
		return n
	case b.Kind == KindNil, b.Kind == KindInterface && b.Elem == nil:
		return 1
	}
	return most + 1
}

// Nilable reports whether nil is a value of a type, and, if logs can have it, its text:
// "" if what they have then is no nil, but [].
func (b Basic) Nilable() (text string, ok bool) {
	switch b.Kind {
	case KindPointer, KindInterface, KindAny:
		return "nil", true
	case KindList, KindMap:
		return "", b.Len == 0
	}
	return "", false
}

// OfNil is a log's text of a result of a type; nil, as Go, JSON or package fmt writes it, is
// an empty list or map, from which logs do not tell it.
func (b Basic) OfNil(text string) string {
	switch isNil := text == "nil" || text == "null" || text == "<nil>"; {
	case isNil && b.Kind == KindList && b.Len == 0:
		return "[]"
	case isNil && b.Kind == KindMap:
		return "map[]"
	}
	return text
}

// IsZero reports whether a log's text is that of a type's zero value, or of an empty list or map.
func (b Basic) IsZero(v string) bool {
	if b.Kind == KindAny || b.Kind == KindInterface {
		text, ok := b.Text(v)
		return ok && text == "nil"
	}
	n, ok := b.read(b.OfNil(v))
	switch {
	case ok && n.isZero(b):
		return true
	case b.Kind == KindPointer:
		return b.Elem.Kind != "" && !strings.HasPrefix(v, "&") && b.Elem.IsZero(v) // a log has what it points to
	case b.Kind == KindBytes:
		return v == "[]byte(nil)" || v == "[]byte{}" || v == "[]uint8(nil)" || v == "[]uint8{}"
	}
	return false
}

func (n *node) isZero(b Basic) bool {
	switch {
	case n.kind == KindNil:
		return true
	case b.Kind == KindStruct || b.Kind == KindList && b.Len > 0:
		for i := range n.parts {
			of := b.Elem
			if b.Kind == KindStruct {
				of = &b.Fields[i].Basic
			}
			if of.Kind == KindInterface && n.parts[i].kind != KindNil || !n.parts[i].isZero(*of) {
				return false
			}
		}
		return true
	}
	zero := map[string]string{KindBool: "false", KindString: "", KindBytes: "", KindComplex: "0+0i", KindTime: timeText(time.Time{})}
	text, ok := zero[b.Kind]
	switch b.Kind {
	case KindInt, KindUint, KindFloat:
		return n.text == "0"
	case KindList, KindMap:
		return len(n.parts) == 0
	}
	return ok && n.text == text
}

// Shaped is the text of a value as Numbered never has it: its parts are others than one
// another, lists and maps have any number of them, and pointers inside it may be nil.
// Pick chooses one of so many numbers.
func (b Basic) Shaped(pick func(n int) int) string {
	n := b.shaped(pick)
	return n.plain()
}

func (b Basic) shaped(pick func(n int) int) node {
	n := node{kind: b.Kind}
	part := func(b Basic) {
		switch p := b.inner(); {
		case (p.Kind == KindPointer || p.Kind == KindAny) && pick(fewParts) == 0:
			n.parts = append(n.parts, node{kind: KindNil})
		default:
			n.parts = append(n.parts, p.shaped(pick))
		}
	}
	switch {
	case !b.HasParts():
		return b.numbered(1 + pick(fewParts))
	case b.Kind == KindInterface:
		return b.Elem.shaped(pick)
	case b.Kind == KindPointer:
		n.parts = append(n.parts, b.Elem.shaped(pick))
	case b.Kind == KindStruct:
		for _, f := range b.Fields {
			part(f.Basic)
		}
	case b.Kind == KindList:
		count := b.Len - 1
		if b.Len == 0 {
			count = pick(fewParts + 1)
		}
		for i := 0; i < count; i++ {
			part(*b.Elem)
		}
	case b.Kind == KindMap:
		for k := pick(fewParts); k > 0; k-- { // the keys are different, unless there are too few
			n.parts = append(n.parts, b.Key.numbered(k))
			part(*b.Elem)
		}
		if !n.sortEntries() {
			n.parts = n.parts[:2]
		}
	}
	return n
}
