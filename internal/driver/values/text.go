//go:build go1.21

package values

import (
	"cmp"
	"reflect"
	"sort"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
)

// appendText appends the text that a value has as a part of another:
//
//	[1 2 3]  {alice 3}  map[a:1 b:2]  &{alice 3}  nil  1.5  "two words"
//
// Maps are sorted by key, and String methods not asked. A pointer is followed once:
// ^0 stands for the first one that was.
func appendText(b []byte, v reflect.Value) []byte {
	w := textWriter{b: b}
	w.value(v)
	return w.b
}

// GoText is the text of a value that stands alone: strings in quotes.
func GoText(v reflect.Value) string {
	s, ok := stringOf(v)
	if ok {
		return strconv.Quote(s)
	}
	return string(appendText(nil, v))
}

// LogText is the text of a value as logs have it: strings as they are.
func LogText(v reflect.Value) string {
	if KindOf(v.Type()) == KindBytes {
		return bytesText(v.Bytes())
	}
	s, ok := stringOf(v)
	if ok {
		return s
	}
	return string(appendText(nil, v))
}

// stringOf is the text of a value that is written as a string: a string, bytes,
// a time, an error, behind an interface or not.
func stringOf(v reflect.Value) (s string, ok bool) {
	for v.Kind() == reflect.Interface && !v.IsNil() {
		if s, ok := errorText(v); ok {
			return s, true
		}
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.String:
		return v.String(), true
	case KindOf(v.Type()) == KindBytes:
		return string(v.Bytes()), true
	case v.Type() == timeType && v.CanInterface():
		return timeText(v.Interface().(time.Time)), true
	}
	return "", false
}

// errorText is what an error says, unless saying it panics.
func errorText(v reflect.Value) (s string, ok bool) {
	if v.Type() != errorType || !v.CanInterface() {
		return "", false
	}
	defer func() { ok = recover() == nil }()
	return v.Interface().(error).Error(), true
}

// textWriter writes the text of one value.
type textWriter struct {
	b    []byte
	seen []reflect.Value // pointers that were followed
	deep int             // parts around the next one

	// used, if there are any, are values with numbers, which are written, all other
	// parts in parentheses. given are pointers that a log has, which have its text.
	used, given []injected
	found       bool // one was used
}

// deepest is how many parts a text has one in another: a slice may be its own
// element.
const deepest = 1000

func (w *textWriter) value(v reflect.Value) {
	if w.deep++; w.deep > deepest {
		w.b = append(w.b, "..."...)
	} else {
		w.part(v)
	}
	w.deep--
}

func (w *textWriter) part(v reflect.Value) {
	if w.used != nil {
		if u := find(w.used, identity(v)); u != nil && u.k > 0 && u.kind != KindBool {
			w.b, w.found = strconv.AppendInt(w.b, int64(u.k), 10), true
			return
		}
	}
	if w.given != nil && v.Kind() == reflect.Pointer {
		if u := find(w.given, identity(v)); u != nil && u.text != "" {
			w.b = append(w.b, u.text...)
			return
		}
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		w.inside(v)
		return
	}
	if s, ok := stringOf(v); ok {
		w.leaf(func() { w.b = appendWord(w.b, s) })
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Struct:
		w.fields(v)
	case reflect.Slice, reflect.Array:
		w.b = append(w.b, '[')
		for i := 0; i < v.Len(); i++ {
			w.blank(i)
			w.value(v.Index(i))
		}
		w.b = append(w.b, ']')
	case reflect.Map:
		w.entries(v)
	default:
		w.leaf(func() { w.b = appendLeaf(w.b, v) })
	}
}

// inside writes what is in an interface.
func (w *textWriter) inside(v reflect.Value) {
	if s, ok := errorText(v); ok {
		w.leaf(func() { w.b = appendWord(w.b, s) })
		return
	}
	if v.NumMethod() == 0 && v.Elem().Kind() == reflect.String {
		w.leaf(func() { w.b = appendAny(w.b, v.Elem().String()) })
		return
	}
	w.value(v.Elem())
}

// leaf writes a value without parts.
func (w *textWriter) leaf(write func()) {
	if w.used == nil {
		write()
		return
	}
	w.b = append(w.b, '(')
	write()
	w.b = append(w.b, ')')
}

func (w *textWriter) blank(i int) {
	if i > 0 {
		w.b = append(w.b, ' ')
	}
}

func (w *textWriter) pointer(v reflect.Value) {
	if v.IsNil() {
		w.leaf(func() { w.b = append(w.b, "nil"...) })
		return
	}
	for i, p := range w.seen {
		if p.Pointer() == v.Pointer() && p.Type() == v.Type() && v.Type().Elem().Size() > 0 {
			w.leaf(func() { w.b = strconv.AppendInt(append(w.b, '^'), int64(i), 10) })
			return
		}
	}
	w.seen = append(w.seen, v)
	w.b = append(w.b, '&')
	w.value(v.Elem())
}

func (w *textWriter) fields(v reflect.Value) {
	if !v.CanAddr() && v.CanInterface() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		v = c // whose fields can be looked into
	}
	w.b = append(w.b, '{')
	n := 0
	for i := 0; i < v.NumField(); i++ {
		if isHidden(v.Type().Field(i)) {
			continue
		}
		w.blank(n)
		w.value(exposed(v.Field(i)))
		n++
	}
	w.b = append(w.b, '}')
}

// exposed is a field as one can use it that is not exported, where that is
// possible.
func exposed(f reflect.Value) reflect.Value {
	if !f.CanInterface() && f.CanAddr() {
		return writable(f)
	}
	return f
}

func (w *textWriter) entries(v reflect.Value) {
	keys := v.MapKeys()
	order := make([]string, len(keys))
	for i, k := range keys {
		order[i] = string(appendText(nil, k))
	}
	sort.Sort(&byKey{order, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] }})
	w.b = append(w.b, "map["...)
	for i, k := range keys {
		w.blank(i)
		w.value(k)
		w.b = append(w.b, ':')
		w.value(v.MapIndex(k))
	}
	w.b = append(w.b, ']')
}

// byKey sorts the entries of a map by the texts of their keys, integers by size.
type byKey struct {
	texts []string
	swap  func(i, j int)
}

func (s *byKey) Len() int           { return len(s.texts) }
func (s *byKey) Less(i, j int) bool { return CompareKeys(s.texts[i], s.texts[j]) < 0 }
func (s *byKey) Swap(i, j int) {
	s.texts[i], s.texts[j] = s.texts[j], s.texts[i]
	s.swap(i, j)
}

// CompareKeys compares the keys of a map by their texts, in the order in which its text has them.
func CompareKeys(x, y string) int {
	a, errA := strconv.ParseInt(x, 10, 64)
	b, errB := strconv.ParseInt(y, 10, 64)
	switch {
	case errA == nil && errB == nil && a != b:
		return cmp.Compare(a, b)
	case errA == nil && errB != nil:
		return -1
	case errA != nil && errB == nil:
		return 1
	}
	return cmp.Compare(x, y)
}

// appendLeaf appends the text of a value without parts that is no string.
func appendLeaf(b []byte, v reflect.Value) []byte {
	switch KindOf(v.Type()) {
	case KindInt:
		return strconv.AppendInt(b, v.Int(), 10)
	case KindUint:
		return strconv.AppendUint(b, v.Uint(), 10)
	case KindBool:
		return strconv.AppendBool(b, v.Bool())
	case KindFloat:
		return strconv.AppendFloat(b, v.Float(), 'g', -1, v.Type().Bits())
	case KindComplex:
		return append(b, complexText(v.Complex(), v.Type().Bits())...)
	}
	if v.Kind() != reflect.UnsafePointer && v.IsNil() {
		return append(b, "nil"...)
	}
	return append(b, v.Kind().String()...) // a function, a channel
}

func complexText(c complex128, bits int) string {
	s := strconv.FormatComplex(c, 'g', -1, bits)
	return s[1 : len(s)-1]
}

func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// appendWord appends a string as a part: without quotes if nothing can be
// mistaken in it.
func appendWord(b []byte, s string) []byte {
	if isWord(s) {
		return append(b, s...)
	}
	return strconv.AppendQuote(b, s)
}

// Word is a string as a part of a value: without quotes if nothing can be mistaken in it.
func Word(s string) string { return string(appendWord(nil, s)) }

// appendAny appends a string in an any: with quotes where it would be a value of
// another type.
func appendAny(b []byte, s string) []byte {
	if _, err := strconv.Atoi(s); err == nil || s == "true" || s == "false" || s == "nil" || s == "<nil>" || s == "null" {
		return strconv.AppendQuote(b, s)
	}
	return appendWord(b, s)
}

func isWord(s string) bool {
	for _, r := range s {
		if !isWordRune(r) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

// isWordRune reports whether a string with this rune needs no quotes.
func isWordRune(r rune) bool {
	switch r {
	case ' ', ',', ':', '"', '\'', '`', '#', '&', '(', ')', '[', ']', '{', '}', utf8.RuneError:
		return false
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r)
}
