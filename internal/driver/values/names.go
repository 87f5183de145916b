//go:build go1.21

package values

import (
	"encoding/json"
	"strconv"
)

// inner is the type of what an interface is given.
func (b Basic) inner() Basic {
	for b.Kind == KindInterface && b.Elem != nil {
		b = *b.Elem
	}
	return b
}

// Canonical is the text that an answer has for the value that a log writes as v.
func (b Basic) Canonical(v string) string {
	if b = b.inner(); b.Kind == KindString || b.Kind == KindAny {
		return v
	}
	n, ok := b.read(v)
	if !ok {
		return v
	}
	if b.Kind == KindBytes {
		return bytesText([]byte(n.text))
	}
	return n.plain()
}

// Rename gives the value that a log writes as v another text: the one that rename
// has for it, or else for its parts.
func (b Basic) Rename(v string, rename func(b Basic, v string) (text string, ok bool)) string {
	b = b.inner()
	if text, ok := rename(b, v); ok {
		return text
	}
	n, ok := b.read(v)
	if !ok || n.parts == nil {
		return v
	}
	b.renameParts(&n, rename)
	return string(n.appendText(nil))
}

func (b Basic) renameParts(n *node, rename func(b Basic, v string) (text string, ok bool)) {
	for i := range n.parts {
		of, part := b.Elem, &n.parts[i]
		switch {
		case b.Kind == KindStruct:
			of = &b.Fields[i].Basic
		case b.Kind == KindMap && i%2 == 0:
			of = b.Key
		}
		inner := of.inner()
		if text, ok := rename(inner, part.plain()); ok {
			*part = node{kind: KindString, text: text}
			continue
		}
		inner.renameParts(part, rename)
	}
	if n.kind == KindMap {
		n.sortEntries()
	}
}

// plain is the text of a value that stands alone.
func (n *node) plain() string {
	if n.kind == KindString || n.kind == KindTime || n.kind == KindAny {
		return n.text
	}
	return string(n.appendText(nil))
}

// Numbered is the text of value number k, as logs have it.
func (b Basic) Numbered(k int) string {
	if b.Kind == KindInt || b.Kind == KindUint { // most are
		return b.number(k)
	}
	n := b.numbered(k)
	return n.plain()
}

// number is value number k as an integer.
func (b *Basic) number(k int) string {
	if b.Bits == 8 || b.Bits == 16 {
		k = (k-1)%integersOf(b.Kind == KindUint, b.Bits) + 1
	}
	return strconv.FormatInt(concreteInt(k, b.Bits), 10)
}

func (b Basic) numbered(k int) node {
	n := node{kind: b.Kind}
	part := func(b Basic) { n.parts = append(n.parts, b.numbered(k)) }
	switch b.Kind {
	case KindInt, KindUint, KindFloat, KindComplex:
		n, _ = b.leaf(b.number(k))
	case KindBool:
		n.text = strconv.FormatBool(k%2 == 1)
	case KindString, KindBytes:
		n.kind, n.text = KindString, concreteString(k)
	case KindAny:
		n.kind, n.text = KindInt, strconv.FormatInt(concreteInt(k, strconv.IntSize), 10)
	case KindTime:
		n.text = timeText(concreteTime(k))
	case KindStruct:
		for _, f := range b.Fields {
			part(f.Basic)
		}
	case KindList:
		count := max(1, b.Len-1)
		if b.Variadic {
			count = elements(k)
		} else if b.Len == 1 {
			count = 0
		}
		for i := 0; i < count && b.Elem.Kind != ""; i++ {
			part(*b.Elem)
		}
	case KindMap:
		if b.Elem.Kind != "" {
			part(*b.Key)
			part(*b.Elem)
		}
	case KindPointer:
		if b.Elem.Kind == "" {
			return node{kind: KindNil}
		}
		part(*b.Elem)
	case KindInterface:
		if b.Elem != nil && b.Elem.Kind != "" {
			return b.Elem.numbered(k)
		}
		n.kind = KindNil
	default:
		n.kind = KindNil
	}
	return n
}

// Name tells types from one another whose values are not interchangeable.
func (b Basic) Name() string {
	j, _ := json.Marshal(b.shape())
	return string(j)
}

// shape is the type without what says how others write its values.
func (b Basic) shape() *Basic {
	s := &Basic{Kind: b.Kind, Bits: b.Bits, Len: b.Len}
	if b.Key != nil {
		s.Key = b.Key.shape()
	}
	if b.Elem != nil {
		s.Elem = b.Elem.shape()
	}
	for _, f := range b.Fields {
		s.Fields = append(s.Fields, Field{Name: f.Name, Basic: *f.Basic.shape()})
	}
	return s
}
