//go:build go1.21

package values

import (
	"math"
	"reflect"
	"strconv"
)

// injected is one argument value of the running sequence, or a part of one: what
// an answer is held against.
type injected struct {
	kind string       // KindInt for all integers, KindString for bytes, too
	t    reflect.Type // of values with parts, numbers with fractions, times
	i    int64
	s    string
	p    uintptr // the pointer
	k    int     // its number; 0: a log has it
	text string  // as the log has it
}

// Argument is a concrete value with what is needed to know it again.
type Argument struct {
	Value reflect.Value
	Fresh bool // a reference may change it: each sequence gets one of its own

	ts    Types
	known []injected // first itself, then its parts
	node  *node      // of what a log has
	text  string     // as the log has it
	k     int        // its number; 0: a log has it
}

// Argument builds the concrete value of type t that number k stands for.
func (ts Types) Argument(t reflect.Type, k int) Argument {
	a := Argument{ts: ts, Value: reflect.New(t).Elem(), Fresh: isShared(t, nil), k: k}
	ts.make(a.Value, k)
	a.known = learn(nil, a.Value, k, "")
	return a
}

// Parse reads the text of a value that no argument had as a value of
// type t.
func (ts Types) Parse(t reflect.Type, text string) (a Argument, ok bool) {
	a = Argument{ts: ts, Value: reflect.New(t).Elem(), Fresh: isShared(t, nil)}
	b := ts.BasicOf(t)
	if b.Kind == KindInterface && text == "nil" {
		b = Basic{Kind: KindNil}
	}
	for b.Kind == KindInterface && b.Elem != nil {
		b = *b.Elem
	}
	var n node
	switch b.Kind {
	case KindString, KindBytes:
		n = node{kind: KindString, text: unquoted(text)}
		ok = true
	case KindAny:
		n, ok = node{kind: KindAny, text: unquoted(text)}, len(text) > 1 && text[0] == '"'
		if _, err := strconv.Atoi(text); err == nil {
			n.kind, ok = KindInt, true
		} else if text == "nil" {
			n.kind, ok = KindNil, true
		}
	case KindList, KindMap:
		if n, ok = b.read(text); !ok && text == "nil" && b.Len == 0 {
			n, ok = node{kind: KindNil}, true
		}
	default:
		n, ok = b.read(text)
	}
	if !ok {
		return a, false
	}
	a.node = &n
	ts.set(a.Value, &n)
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		a.text = text
	}
	return a, true
}

func unquoted(text string) string {
	if s, err := strconv.Unquote(text); err == nil {
		return s
	}
	return text
}

// again is the value for a new sequence.
func (a *Argument) again() reflect.Value {
	v := reflect.New(a.Value.Type()).Elem()
	if a.node != nil {
		a.ts.set(v, a.node)
	} else {
		a.ts.make(v, a.k)
	}
	return v
}

// isShared reports whether a change to a copy of a value of the type may be a
// change to the value.
func isShared(t reflect.Type, inside []reflect.Type) bool {
	if isInside(t, inside) {
		return false
	}
	inside = append(inside, t)
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return true
	case reflect.Array:
		return isShared(t.Elem(), inside)
	case reflect.Interface:
		return t.NumMethod() > 0
	case reflect.Struct:
		for i := 0; t != timeType && i < t.NumField(); i++ {
			if isShared(t.Field(i).Type, inside) {
				return true
			}
		}
	}
	return false
}

// learn appends what is known of an argument: itself and its parts.
func learn(known []injected, v reflect.Value, k int, text string) []injected {
	u := identity(v)
	u.k, u.text = k, text
	if u.kind != "" && (len(known) == 0 || u.kind != KindBool) {
		known = append(known, u)
	}
	switch KindOf(v.Type()) {
	case KindPointer:
		if !v.IsNil() {
			known = learn(known, v.Elem(), k, text)
		}
	case KindAny, KindInterface:
		if !v.IsNil() {
			known = learn(known, v.Elem(), k, text)
		}
	case KindStruct:
		for i := 0; i < v.NumField(); i++ {
			if isFilled(v.Type(), v.Type().Field(i)) {
				known = learn(known, exposed(v.Field(i)), k, text)
			}
		}
	case KindList:
		for i := 0; i < v.Len(); i++ {
			known = learn(known, v.Index(i), k, text)
		}
	case KindMap:
		for _, key := range v.MapKeys() {
			known = learn(learn(known, key, k, text), v.MapIndex(key), k, text)
		}
	}
	return known
}

// identity is what tells a value from others; no kind: nothing does.
func identity(v reflect.Value) (u injected) {
	switch kind := KindOf(v.Type()); kind {
	case KindInt:
		return injected{kind: KindInt, i: v.Int()}
	case KindUint:
		if v.Uint() <= math.MaxInt64 {
			return injected{kind: KindInt, i: int64(v.Uint())}
		}
	case KindBool:
		if v.Bool() {
			u.i = 1
		}
		u.kind = KindBool
	case KindString:
		return injected{kind: KindString, s: v.String()}
	case KindBytes:
		return injected{kind: KindString, s: string(v.Bytes())}
	case KindPointer:
		if !v.IsNil() {
			return injected{kind: KindPointer, t: v.Type(), p: v.Pointer()}
		}
	case KindAny, KindInterface, "":
	default:
		return injected{kind: kind, t: v.Type(), s: string(appendText(nil, v))}
	}
	return u
}

// readBack finds the number of a returned value among the sequence's arguments,
// or else its Go text. Integers of different types are compared as integers. A
// value whose parts are known has a text with their numbers in it: [2 1 (0)].
func readBack(v reflect.Value, used []injected) (k int, text string) {
	whole := v
	for n := 0; n < mostPointers && (v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer); n++ {
		if v.IsNil() {
			return 0, "nil"
		}
		if u := find(used, identity(v)); u != nil {
			return u.k, u.text
		}
		v = v.Elem()
	}
	if u := find(used, identity(v)); u != nil && u.k > 0 {
		return u.k, ""
	}
	if s, ok := errorText(whole); ok {
		return 0, strconv.Quote(s)
	}
	switch KindOf(v.Type()) {
	case KindStruct, KindList, KindMap:
		w := textWriter{used: used}
		if w.value(v); w.found {
			return 0, WithNumbers + string(w.b)
		}
		w = textWriter{given: used}
		w.value(v)
		return 0, string(w.b)
	}
	return 0, GoText(v)
}

// WithNumbers begins a text that has numbers of arguments in it, [2 (0)].
const WithNumbers = "="

// mostPointers is how many pointers are followed to a value.
const mostPointers = 8

func find(used []injected, v injected) *injected {
	for n := range used {
		if u := &used[n]; u.i == v.i && u.p == v.p && u.s == v.s && u.kind == v.kind && u.t == v.t {
			return u
		}
	}
	return nil
}
