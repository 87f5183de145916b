//go:build go1.21

package values

// fewParts is how many different parts shaped values have, and one more than their lists.
const fewParts = 3

// HasParts reports whether values of a type have parts, of which there may be several.
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
