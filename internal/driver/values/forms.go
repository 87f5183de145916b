//go:build go1.21

package values

import (
	"strconv"
	"strings"
)

// form is a way in which package fmt prints values with parts.
type form int

const (
	plain  form = iota // %v: {a 3}
	fields             // %+v: {Name:a N:3}
	source             // %#v: contacts.Contact{Name:"a", N:3}
)

// mostSteps bounds the readings of one text that are looked at.
const mostSteps = 20_000

// printedBy reads what package fmt prints. Strings stand there without quotes, so that a
// text may have several readings: it is a value if all of them are the same.
func (b Basic) printedBy(text string) (node, bool) {
	var found *node
	for f := plain; f <= source; f++ {
		r := forms{text: text, form: f, steps: mostSteps}
		several := false
		r.value(b, 0, func(n node, at int) {
			if at < len(text) {
				return
			}
			if found == nil {
				found = &n
			}
			several = several || !n.same(found)
		})
		if several || r.twice || r.steps < 0 {
			return node{}, false
		}
	}
	if found == nil {
		return node{}, false
	}
	return *found, true
}

func (n *node) same(m *node) bool {
	if n.kind != m.kind || n.text != m.text || len(n.parts) != len(m.parts) {
		return false
	}
	for i := range n.parts {
		if !n.parts[i].same(&m.parts[i]) {
			return false
		}
	}
	return true
}

// forms reads one form. Each method calls then with each value that may stand at a
// place, and the place after it.
type forms struct {
	text  string
	form  form
	steps int  // that are left
	twice bool // a map has a key twice
}

type then func(n node, at int)

// after is the place after a text, if that stands at a place.
func (r *forms) after(at int, s string) (int, bool) {
	return at + len(s), strings.HasPrefix(r.text[at:], s)
}

func (r *forms) value(b Basic, at int, then then) {
	if r.steps--; r.steps < 0 {
		return
	}
	switch b.Kind {
	case KindStruct, KindList, KindMap:
		for _, at := range r.types(b, at) {
			r.parts(b, at, then)
		}
	case KindPointer:
		if end, ok := r.after(at, "&"); ok {
			r.value(*b.Elem, end, func(n node, at int) { then(node{kind: KindPointer, parts: []node{n}}, at) })
		}
		r.null(at, then)
	case KindInterface:
		if b.Elem != nil {
			r.value(*b.Elem, at, then)
		}
		r.null(at, then)
	case KindNil:
		r.null(at, then)
	default:
		r.scalar(b, at, then)
	}
}

// null reads nil as the form has it.
func (r *forms) null(at int, then then) {
	if r.form != source {
		if end, ok := r.after(at, "<nil>"); ok {
			then(node{kind: KindNil}, end)
		}
		return
	}
	if i := strings.Index(r.text[at:], "(nil)"); i >= 0 && isTypeText(r.text[at:at+i]) {
		then(node{kind: KindNil}, at+i+len("(nil)"))
	}
}

// types are the places where what has parts may begin, behind the name of its type.
func (r *forms) types(b Basic, at int) (begins []int) {
	if r.form != source {
		return []int{at}
	}
	for i := at; i < len(r.text); i++ {
		if r.text[i] == '{' || r.text[i] == '(' {
			if i > at && isTypeText(r.text[at:i]) && b.mayBe(r.text[at:i]) {
				begins = append(begins, i)
			}
		}
		if r.text[i] == '"' {
			break
		}
	}
	return begins
}

// mayBe reports whether a type's text is that of such a type, which may have another
// name, since a log may be another program's.
func (b Basic) mayBe(t string) bool {
	isMap, isList := strings.HasPrefix(t, "map["), strings.HasPrefix(t, "[")
	return !isMap && !isList || isMap && b.Kind == KindMap || isList && b.Kind == KindList
}

// isTypeText reports whether a text may be the name of a type: of letters, digits and what
// types are composed with.
func isTypeText(s string) bool {
	depth := 0
	for _, c := range s {
		switch {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0, c == '"', c == ':':
			return false
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0 && s != ""
}

// parts reads a struct, list or map from its bracket on.
func (r *forms) parts(b Basic, at int, then then) {
	open, end := "{", "}"
	switch {
	case r.form == source:
		if end, ok := r.after(at, "(nil)"); ok && b.Kind != KindStruct && b.Len == 0 {
			then(node{kind: b.Kind}, end)
		}
	case b.Kind == KindList:
		open, end = "[", "]"
	case b.Kind == KindMap:
		open, end = "map[", "]"
	}
	at, ok := r.after(at, open)
	if !ok {
		return
	}
	r.rest(b, end, nil, at, func(n node, at int) {
		if b.Kind == KindMap {
			n.parts = append([]node(nil), n.parts...)
			if !n.sortEntries() {
				r.twice = true
			}
		}
		then(n, at)
	})
}

// rest reads the parts that come after some.
func (r *forms) rest(b Basic, end string, before []node, at int, then then) {
	i := len(before)
	most := -1
	if b.Kind == KindStruct {
		most = len(b.Fields)
	} else if b.Len > 0 {
		most = b.Len - 1
	}
	if most < 0 || i == most {
		if at, ok := r.after(at, end); ok && (b.Kind != KindMap || i%2 == 0) {
			then(node{kind: b.Kind, parts: before}, at)
		}
		if i == most {
			return
		}
	}
	isElem := b.Kind == KindMap && i%2 == 1
	separator := " "
	switch {
	case i == 0:
		separator = ""
	case isElem:
		separator = ":"
	case r.form == source:
		separator = ", "
	}
	at, ok := r.after(at, separator)
	if !ok {
		return
	}
	of := b.Elem
	switch {
	case b.Kind == KindStruct:
		of = &b.Fields[i].Basic
		behind, isNamed := r.after(at, b.Fields[i].GoName+":")
		if isNamed == (r.form == plain) { // a string that begins so is taken for a field
			return
		}
		if isNamed {
			at = behind
		}
	case b.Kind == KindMap && !isElem:
		of = b.Key
	}
	r.value(*of, at, func(n node, at int) {
		r.rest(b, end, append(before[:i:i], n), at, then)
	})
}

// scalar reads a value without parts.
func (r *forms) scalar(b Basic, at int, then then) {
	rest := r.text[at:]
	isText := b.Kind == KindString || b.Kind == KindAny
	if quoted, err := strconv.QuotedPrefix(rest); err == nil && (rest[0] == '"' || r.form == source) {
		s, err := strconv.Unquote(quoted)
		switch {
		case err != nil || !isText:
		case b.Kind == KindAny:
			then(node{kind: KindAny, text: s}, at+len(quoted))
		default:
			then(node{kind: KindString, text: s}, at+len(quoted))
		}
		return
	}
	if r.form == source && b.Kind == KindBytes {
		r.byteSource(at, then)
		return
	}
	for n := 0; n <= len(rest); n++ {
		if n < len(rest) && !strings.ContainsRune(" ]}:,", rune(rest[n])) {
			continue
		}
		if r.steps--; r.steps < 0 {
			return
		}
		s := rest[:n]
		if isText && (r.form == source || !r.mayBeText(s)) && !(b.Kind == KindAny && r.form == source && anyLeaf(s, false).kind == KindInt) {
			continue
		}
		v, ok := b.loose(s)
		if b.Kind == KindAny {
			v, ok = anyLeaf(s, false), s != ""
		}
		if b.Kind == KindBytes {
			if _, ok = bytesOf(s); !ok {
				continue
			}
		}
		if ok {
			then(v, at+n)
		}
	}
}

// mayBeText reports whether a string without quotes is taken for one: what looks like
// parts of values is not.
func (r *forms) mayBeText(s string) bool {
	few := "\"`[]{}\n"
	if r.form == plain {
		few += ","
	}
	return !strings.ContainsAny(s, few)
}

// byteSource reads bytes as Go source has them: []byte{0x61, 0x62}.
func (r *forms) byteSource(at int, then then) {
	rest, prefix := r.text[at:], ""
	for _, p := range []string{"[]byte", "[]uint8"} {
		if strings.HasPrefix(rest, p) {
			prefix = p
		}
	}
	end := strings.IndexByte(rest, '}')
	switch {
	case prefix == "":
	case strings.HasPrefix(rest[len(prefix):], "(nil)"):
		then(node{kind: KindString}, at+len(prefix)+len("(nil)"))
	case end > len(prefix) && rest[len(prefix)] == '{':
		var text []byte
		for _, w := range strings.Split(rest[len(prefix)+1:end], ", ") {
			u, err := strconv.ParseUint(w, 0, 8)
			if err != nil && (w != "" || end > len(prefix)+1) {
				return
			}
			if err == nil {
				text = append(text, byte(u))
			}
		}
		then(node{kind: KindString, text: string(text)}, at+end+1)
	}
}
