package foreign

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// asType is the text that a text log has for a value of a type, and whether the value is one. Without a type it is
// what it is written like.
func asType(b *values.Basic, kind valueKind, text string) (string, bool) {
	for b != nil && b.Kind == values.KindInterface && b.Elem != nil {
		b = b.Elem
	}
	switch {
	case b == nil || b.Kind == "":
		return text, true
	case kind <= null:
		return nilOf(b)
	case b.Kind == values.KindString || b.Kind == values.KindAny:
		return text, true
	case b.Kind != values.KindPointer && kind < vector: // also Go text, or JSON, in a string
		_, ok := b.Text(text)
		return text, ok
	}
	f, ok := form{kind: kind, text: text}, true
	if kind >= vector {
		f, ok = (&lexer{src: text}).read(0)
	}
	if ok {
		text, ok = f.as(b)
	}
	if ok {
		_, ok = b.Text(text)
	}
	return text, ok
}

// param is the type of an argument, nil if that is unknown.
func (m *meaning) param(i int) *values.Basic {
	if m.sig == nil {
		return nil
	}
	return typeAt(m.sig.Params, i)
}

// result is the type of a value that is answered, as Go has it.
func (m *meaning) result(i int) *values.Basic {
	if m.sig.Structs != nil {
		return typeAt(m.sig.Structs, i)
	}
	return m.leaf(i)
}

// leaf is the type of a value that an outcome carries, of which a struct may be several.
func (m *meaning) leaf(i int) *values.Basic { return typeAt(m.sig.Results, i) }

func typeAt(types []values.Basic, i int) *values.Basic {
	if i < 0 || i >= len(types) {
		return nil
	}
	return &types[i]
}

// fits reports whether a completion's value is one that the outcome value carries, by its types.
func (a *assembler) fits(m *meaning, done *entry) bool {
	if m.whole == 1 {
		_, ok := asType(m.result(0), done.value, string(a.text(done)))
		return ok
	}
	return m.some == 0 || m.some > 0 && a.partsFit(done, m.whole, 0, m.result)
}

// partsFit reports whether a vector has so many parts of these types, and some more.
func (a *assembler) partsFit(done *entry, n, more int, types func(int) *values.Basic) bool {
	if done.value != vector || int(done.parts) != n+more {
		return false
	}
	for i := range n {
		at := int(done.first) + 1 + i
		if _, ok := asType(types(i), a.shapes[at], a.texts[at]); !ok {
			return false
		}
	}
	return true
}

// isWhole reports whether a completion's value is all that a method returned, as in Go: [3 true], [7 nil], [0 false "closed"].
func (a *assembler) isWhole(m *meaning, done *entry) bool {
	n := max(m.whole, 0)
	switch {
	case n > 0 && a.partsFit(done, n, 1, m.result):
		return a.flag(m, done) != ""
	case m.fails && a.partsFit(done, n, 2, m.result):
		return a.shapes[done.first+done.parts-1] == boolean && a.flag(m, done) != ""
	}
	return false
}

// flag is the last part of a vector as a text log has the last result of a call; "" if it is none.
func (a *assembler) flag(m *meaning, done *entry) string {
	at := int(done.first + done.parts)
	kind, text := a.shapes[at], a.texts[at]
	switch b := cmp.Or(wording.Bool(text), text); {
	case m.fails && kind == null:
		return "nil"
	case !m.fails && (b == "true" || b == "false") && kind < vector:
		return b
	case m.fails && (kind == word || kind == scalar):
		return m.errorText(value{kind: kind, text: text})
	}
	return ""
}

// nilOf is the text of nil as a value of a type, if it is one; a pointer to what may be nil may be meant in two ways.
func nilOf(b *values.Basic) (string, bool) {
	if b.Kind == values.KindPointer {
		_, twice := nilOf(b.Elem)
		return "nil", !twice
	}
	switch text, ok := b.Nilable(); {
	case ok && text != "":
		return text, true
	case ok && b.Kind == values.KindMap:
		return "map[]", true
	case ok:
		return "[]", true
	case b.Kind == values.KindBytes:
		return `""`, true
	}
	return "nil", b.Kind == values.KindNil
}

// form is a value with its parts.
type form struct {
	kind   valueKind
	text   string
	quoted bool   // it is a string
	parts  []form // of a vector or set; of a map keys and values in turn
	isMap  bool
	isSet  bool
}

// read reads the form that begins here, of a text that has been looked at; tags tell nothing that types do not.
func (l *lexer) read(depth int) (f form, ok bool) {
	start := l.at
	if l.end() || depth > maxDepth {
		return f, false
	}
	switch c := l.src[start]; {
	case c == '"':
		return l.readString()
	case c == '#' && strings.HasPrefix(l.src[start:], "##"):
		ok = l.skip(1) == nil
		return form{kind: scalar, text: l.src[min(start+2, l.at):l.at]}, ok
	case c == '#' && !strings.HasPrefix(l.src[start:], "#{"):
		if l.tag() != nil {
			return f, false
		}
		return l.read(depth + 1)
	case strings.IndexByte("[({#", c) < 0:
		if l.skip(1) != nil {
			return f, false
		}
		v := atom(l.src[start:l.at])
		return form{kind: v.kind, text: v.text}, true
	}
	f = form{kind: vector, isMap: l.src[start] == '{', isSet: l.src[start] == '#'}
	if l.at++; f.isSet {
		l.at++
	}
	for {
		if l.blanks() != nil || l.end() {
			return f, false
		}
		if strings.IndexByte("])}", l.src[l.at]) >= 0 {
			l.at++
			f.text = l.src[start:l.at]
			return f, !f.isMap || len(f.parts)%2 == 0
		}
		part, ok := l.read(depth + 1)
		if !ok {
			return f, false
		}
		f.parts = append(f.parts, part)
	}
}

// readString reads a string, which may have been JSON.
func (l *lexer) readString() (form, bool) {
	start := l.at
	for l.at++; l.at < len(l.src) && l.src[l.at] != '"'; l.at++ {
		if l.src[l.at] == '\\' {
			l.at++
		}
	}
	if l.at >= len(l.src) {
		return form{}, false
	}
	l.at++
	text, err := strconv.Unquote(l.src[start:l.at])
	if err != nil {
		text = unquote(l.src[start:l.at])
	}
	return form{kind: scalar, text: text, quoted: true}, true
}

// as is the text of the form as a part of a value that has a type.
func (f *form) as(b *values.Basic) (text string, ok bool) {
	switch {
	case f.kind == null:
		return nilOf(b)
	case b.Kind == values.KindPointer:
		text, ok = f.as(b.Elem)
		return "&" + text, ok
	case b.Kind == values.KindInterface:
		if b.Elem == nil {
			return "", false
		}
		return f.as(b.Elem)
	case b.Kind == values.KindAny:
		if _, err := strconv.Atoi(f.text); f.quoted && (err == nil || slices.Contains([]string{"true", "false", "nil", "null"}, f.text)) {
			return strconv.Quote(f.text), true
		}
		return values.Word(f.text), true
	case b.Kind == values.KindString:
		return values.Word(f.text), f.kind < vector
	case b.Kind == values.KindStruct && f.isMap:
		return f.fields(b)
	case b.Kind == values.KindMap:
		return f.entries(b)
	case b.Kind == values.KindList && f.kind == vector && !f.isMap:
		return f.elements(b)
	}
	if _, ok = b.Text(f.text); !ok || b.Kind == values.KindStruct || b.Kind == values.KindList {
		return "", false
	}
	return values.Word(b.Canonical(f.text)), true
}

// elements is a list. Sets of numbers are in their order.
func (f *form) elements(b *values.Basic) (string, bool) {
	parts := make([]string, 0, len(f.parts))
	for i := range f.parts {
		text, ok := f.parts[i].as(b.Elem)
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	if f.isSet {
		slices.SortFunc(parts, values.CompareKeys)
	}
	return "[" + strings.Join(parts, " ") + "]", true
}

// entries is a map, or a set as Go has them: map[T]bool, map[T]struct{}.
func (f *form) entries(b *values.Basic) (string, bool) {
	step, member := 2, ""
	if !f.isMap {
		step = 1
		if member = "{}"; b.Elem.Kind == values.KindBool {
			member = "true"
		}
		if f.kind != vector || member == "{}" && (b.Elem.Kind != values.KindStruct || len(b.Elem.Fields) > 0) {
			return "", false
		}
	}
	var parts []string
	for i := 0; i < len(f.parts); i += step {
		key, ok := f.parts[i].as(b.Key)
		value, good := member, true
		if f.isMap {
			value, good = f.parts[i+1].as(b.Elem)
		}
		if !ok || !good {
			return "", false
		}
		parts = append(parts, key+":"+value)
	}
	return "map[" + strings.Join(parts, " ") + "]", true
}

// fields is a struct, which a map has by the names of its fields in Go or JSON; nothing may be missing, unless JSON leaves
// it out.
func (f *form) fields(b *values.Basic) (string, bool) {
	parts := make([]string, len(b.Fields))
	seen := make([]bool, len(b.Fields))
	for i := 0; i < len(f.parts); i += 2 {
		name := plainName(f.parts[i].text)
		at := slices.IndexFunc(b.Fields, func(x values.Field) bool { return plainName(x.Name) == name || plainName(x.GoName) == name })
		if at < 0 || seen[at] {
			return "", false
		}
		var ok bool
		if parts[at], ok = f.parts[i+1].as(&b.Fields[at].Basic); !ok {
			return "", false
		}
		seen[at] = true
	}
	for i, x := range b.Fields {
		if seen[i] {
			continue
		}
		zero := form{kind: null}
		switch x.Kind {
		case values.KindInt, values.KindUint, values.KindFloat:
			zero = form{kind: scalar, text: "0"}
		case values.KindBool:
			zero = form{kind: boolean, text: "false"}
		case values.KindString:
			zero = form{kind: scalar, quoted: true}
		}
		var ok bool
		if parts[i], ok = zero.as(&x.Basic); !ok || !x.Omits {
			return "", false
		}
	}
	return "{" + strings.Join(parts, " ") + "}", true
}
