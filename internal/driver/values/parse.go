//go:build go1.21

package values

import (
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// node is a value that was read from text, with its parts.
type node struct {
	kind  string // of what was read: KindNil for nil, KindInt for 3 in an any
	text  string // without parts: its text; of a string what is between the quotes
	parts []node // of a map keys and values in turn, sorted
}

// read reads the text of a value of a type, its JSON, or what package fmt prints. A
// pointer that is no part of a value is what it points to.
func (b Basic) read(text string) (n node, ok bool) {
	if b.Kind == KindBytes {
		if n, ok = b.loose(text); ok {
			return n, true
		}
	}
	p := parser{text: text}
	if n, ok = p.whole(b); ok {
		return n, true
	}
	if n, ok = b.loose(text); ok {
		return n, true
	}
	if n, ok = b.readJSON(text); ok {
		return n, true
	}
	if b.hides() && isJSON(text) {
		return n, false // {} may be what package fmt prints, and what JSON leaves
	}
	n, ok = b.printedBy(text)
	switch {
	case ok:
	case b.Kind == KindStruct && strings.HasPrefix(text, "&"):
		return b.read(text[1:])
	case b.Kind == KindPointer && b.Elem.isPointedTo() && !strings.HasPrefix(text, "&") && !strings.Contains(text, "0x"): // an address
		n, ok = b.Elem.read(text) // what it points to
		return node{kind: KindPointer, parts: []node{n}}, ok
	}
	return n, ok
}

// isPointedTo reports whether a pointer to the type may be written as what it points to:
// not if that may be nil, too.
func (b *Basic) isPointedTo() bool { return b.Kind != "" && b.Kind != KindNil && !b.isNilable() }

// whole reads the whole text.
func (p *parser) whole(b Basic) (node, bool) {
	n, ok := p.value(b)
	return n, ok && p.at == len(p.text)
}

// parser reads what textWriter writes.
type parser struct {
	text   string
	at     int
	answer bool                  // what arguments had is their numbers, and all else is in parentheses
	as     func(b *Basic, k int) // see OfAnswer
}

// next moves past a text, if it comes next.
func (p *parser) next(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

// word reads a string, in quotes or without.
func (p *parser) word() (s string, quoted, ok bool) {
	rest := p.text[p.at:]
	if strings.HasPrefix(rest, `"`) {
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", true, false
		}
		p.at += len(q)
		s, err = strconv.Unquote(q)
		return s, true, err == nil
	}
	n := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !isWordRune(r) {
			break
		}
		n += size
	}
	p.at += n
	return rest[:n], false, n > 0
}

func (p *parser) value(b Basic) (n node, ok bool) {
	if p.answer {
		if n, known, ok := p.ofAnswer(b); known {
			return n, ok
		}
	}
	switch b.Kind {
	case KindStruct:
		n, ok = p.fields(b)
	case KindList:
		n, ok = p.list(b)
	case KindMap:
		n, ok = p.entries(b)
	case KindPointer:
		if p.next("&") {
			n, ok = p.value(*b.Elem)
			n = node{kind: KindPointer, parts: []node{n}}
		} else {
			n, ok = node{kind: KindNil}, p.next("nil")
		}
	case KindInterface:
		if p.next("nil") {
			return node{kind: KindNil}, true
		}
		if b.Elem != nil {
			return p.value(*b.Elem)
		}
	case KindNil:
		n, ok = node{kind: KindNil}, p.next("nil")
	default:
		s, quoted, found := p.word()
		if n, ok = b.leaf(s); b.Kind == KindAny {
			n, ok = anyLeaf(s, quoted), true
		}
		if b.Kind == KindBytes && quoted && isWord(s) || b.Kind == KindAny && !quoted && s == "null" {
			return n, false // JSON means something else
		}
		ok = ok && found && (!quoted || n.kind == KindString || n.kind == KindTime || n.kind == KindAny)
	}
	return n, ok
}

// ofAnswer reads a number of an argument, or a text in parentheses; neither is known, else.
func (p *parser) ofAnswer(b Basic) (n node, known, ok bool) {
	if p.next("(") {
		p.answer = false
		n, ok = p.value(b)
		p.answer = true
		return n, true, ok && p.next(")")
	}
	k := 0
	rest := p.text[p.at:]
	for k < len(rest) && '0' <= rest[k] && rest[k] <= '9' {
		k++
	}
	number, err := strconv.Atoi(rest[:k])
	if p.at += k; k == 0 {
		return n, false, false
	}
	if b = b.inner(); p.as != nil {
		p.as(&b, number)
	}
	return b.numbered(number), true, err == nil && number > 0
}

// OfAnswer is the text that logs have for an answer in which what arguments had is their
// numbers, and all else is in parentheses: {2 (0)}. as may have a number be that of another
// type; nil: they are of the type where they stand.
func (b Basic) OfAnswer(text string, as func(b *Basic, k int)) (string, bool) {
	p := parser{text: text, answer: true, as: as}
	n, ok := p.whole(b)
	if b = b.inner(); ok && b.Kind == KindBytes {
		return bytesText([]byte(n.text)), true
	}
	return n.plain(), ok
}

// anyLeaf is a word in an any.
func anyLeaf(s string, quoted bool) node {
	if !quoted {
		switch _, err := strconv.Atoi(s); {
		case s == "nil", s == "<nil>":
			return node{kind: KindNil}
		case s == "true", s == "false":
			return node{kind: KindBool, text: s}
		case err == nil:
			return node{kind: KindInt, text: s}
		}
	}
	return node{kind: KindAny, text: s}
}

// leaf reads a value without parts; the text is without quotes.
func (b Basic) leaf(s string) (node, bool) {
	n := node{kind: b.Kind, text: s}
	if known, ok := b.named(s); ok && known.Twice {
		return n, false // which number it is, is not known
	}
	var err error
	switch b.Kind {
	case KindInt:
		var i int64
		i, err = strconv.ParseInt(s, 10, b.Bits)
		return n, err == nil && strconv.FormatInt(i, 10) == s
	case KindUint:
		var u uint64
		u, err = strconv.ParseUint(s, 10, b.Bits)
		return n, err == nil && strconv.FormatUint(u, 10) == s
	case KindBool:
		return n, s == "true" || s == "false"
	case KindFloat:
		var f float64
		f, err = strconv.ParseFloat(s, b.Bits)
		n.text = strconv.FormatFloat(f, 'g', -1, b.Bits)
	case KindComplex:
		var c complex128
		c, err = strconv.ParseComplex(s, b.Bits)
		n.text = complexText(c, b.Bits)
	case KindTime:
		var t time.Time
		t, err = time.Parse(time.RFC3339Nano, s)
		n.text = timeText(t)
	case KindString, KindBytes:
		n.kind = KindString
	default:
		return n, false
	}
	return n, err == nil
}

func (p *parser) fields(b Basic) (n node, ok bool) {
	n.kind = KindStruct
	if !p.next("{") {
		return n, false
	}
	for i, f := range b.Fields {
		if i > 0 && !p.next(" ") {
			return n, false
		}
		part, ok := p.value(f.Basic)
		if !ok {
			return n, false
		}
		n.parts = append(n.parts, part)
	}
	return n, p.next("}")
}

func (p *parser) list(b Basic) (n node, ok bool) {
	n.kind = KindList
	if !p.next("[") {
		return n, false
	}
	for i := 0; !p.next("]"); i++ {
		if i > 0 && !p.next(" ") {
			return n, false
		}
		part, ok := p.value(*b.Elem)
		if !ok {
			return n, false
		}
		n.parts = append(n.parts, part)
	}
	return n, b.Len == 0 || len(n.parts) == b.Len-1
}

func (p *parser) entries(b Basic) (n node, ok bool) {
	n.kind = KindMap
	if !p.next("map[") {
		return n, false
	}
	for i := 0; !p.next("]"); i++ {
		if i > 0 && !p.next(" ") {
			return n, false
		}
		key, ok := p.value(*b.Key)
		if !ok || !p.next(":") {
			return n, false
		}
		part, ok := p.value(*b.Elem)
		if !ok {
			return n, false
		}
		n.parts = append(n.parts, key, part)
	}
	return n, n.sortEntries()
}

// sortEntries sorts a map by its keys; false if one comes twice.
func (n *node) sortEntries() bool {
	var keys []string
	for i := 0; i < len(n.parts); i += 2 {
		keys = append(keys, string(n.parts[i].appendText(nil)))
	}
	sort.Sort(&byKey{keys, func(i, j int) {
		for k := 0; k < 2; k++ {
			n.parts[2*i+k], n.parts[2*j+k] = n.parts[2*j+k], n.parts[2*i+k]
		}
	}})
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			return false
		}
	}
	return true
}

// appendText appends the text of the value, as a part, that textWriter gives it.
func (n *node) appendText(b []byte) []byte {
	open, close := "[", "]"
	switch n.kind {
	case KindNil:
		return append(b, "nil"...)
	case KindString:
		return appendWord(b, n.text)
	case KindTime:
		return appendWord(b, n.text)
	case KindAny:
		return appendAny(b, n.text)
	case KindPointer:
		return n.parts[0].appendText(append(b, '&'))
	case KindStruct:
		open, close = "{", "}"
	case KindMap:
		open = "map["
	case KindList:
	default:
		return append(b, n.text...)
	}
	b = append(b, open...)
	for i := range n.parts {
		if i > 0 && n.kind == KindMap && i%2 == 1 {
			b = append(b, ':')
		} else if i > 0 {
			b = append(b, ' ')
		}
		b = n.parts[i].appendText(b)
	}
	return append(b, close...)
}
