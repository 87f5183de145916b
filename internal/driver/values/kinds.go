//go:build go1.21

package values

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kinds of argument and result types.
const (
	KindInt       = "int"
	KindUint      = "uint"
	KindString    = "string"
	KindBool      = "bool"
	KindAny       = "any"
	KindFloat     = "float"
	KindComplex   = "complex"
	KindBytes     = "bytes"
	KindTime      = "time"
	KindStruct    = "struct"
	KindList      = "list" // slices and arrays
	KindMap       = "map"
	KindPointer   = "pointer"
	KindInterface = "interface" // with methods
	KindNil       = "nil"       // inside other values: what only nil is written of, such as functions
)

var (
	errorType   = reflect.TypeOf((*error)(nil)).Elem()
	contextType = reflect.TypeOf((*context.Context)(nil)).Elem()
)

var (
	timeType     = reflect.TypeOf(time.Time{})
	durationType = reflect.TypeOf(time.Duration(0))
)

// KindOf classifies a type that can carry a value; "" if it cannot.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return KindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return KindUint
	case reflect.String:
		return KindString
	case reflect.Bool:
		return KindBool
	case reflect.Float32, reflect.Float64:
		return KindFloat
	case reflect.Complex64, reflect.Complex128:
		return KindComplex
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return KindAny
		}
		return KindInterface
	case reflect.Struct:
		if t == timeType {
			return KindTime
		}
		return KindStruct
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return KindBytes
		}
		return KindList
	case reflect.Array:
		return KindList
	case reflect.Map:
		return KindMap
	case reflect.Pointer:
		return KindPointer
	}
	return ""
}

// Basic is what a type says of its values.
type Basic struct {
	Kind   string  `json:"kind"`             // KindInt, ...
	Bits   int     `json:"bits,omitempty"`   // of numbers
	Key    *Basic  `json:"key,omitempty"`    // of a map
	Elem   *Basic  `json:"elem,omitempty"`   // of a list, a map, a pointer; what an interface is given
	Len    int     `json:"len,omitempty"`    // of an array, plus one
	Fields []Field `json:"fields,omitempty"` // of a struct

	Duration bool    `json:"duration,omitempty"` // it is a time.Duration
	Names    []Named `json:"names,omitempty"`    // of small values, by the type's own methods
	Own      bool    `json:"own,omitempty"`      // its JSON is what a method of its own makes
	Variadic bool    `json:"variadic,omitempty"` // a list of any number of arguments
	Nil      bool    `json:"nil,omitempty"`      // a result that is a pointer to it, and may be nil
}

// Field is a field of a struct.
type Field struct {
	Name   string `json:"name"` // as JSON has it; "" if it is not exported
	GoName string `json:"go"`
	Omits  bool   `json:"omits,omitempty"`  // JSON has it only if it is not zero
	Embeds bool   `json:"embeds,omitempty"` // JSON has its fields beside those around it
	Quoted bool   `json:"quoted,omitempty"` // JSON has its JSON as a string
	Basic
}

// Types is what is known of the types of a Machine.
type Types struct {
	Object reflect.Type   // not a pointer
	Known  []reflect.Type // what interfaces can be given

	Variadic []reflect.Type // lists whose elements functions take, any number of them
}

// BasicOf describes a type.
func (ts Types) BasicOf(t reflect.Type) Basic {
	b := ts.describe(t, nil)
	b.Variadic = slices.Contains(ts.Variadic, t)
	return b
}

// elements is how many elements number k of variadic lists has: one, two and none are
// tried first.
func elements(k int) int {
	switch {
	case k == 3:
		return 0
	case k%3 == 2:
		return 2
	}
	return 1
}

// describe describes a type that is inside others: within itself it has no kind.
func (ts Types) describe(t reflect.Type, inside []reflect.Type) Basic {
	b := Basic{Kind: KindOf(t), Duration: t == durationType, Own: marshals(t)}
	if isInside(t, inside) {
		return Basic{}
	}
	inside = append(inside, t)
	part := func(t reflect.Type) *Basic {
		p := ts.describe(t, inside)
		return &p
	}
	switch b.Kind {
	case "":
		b.Kind = KindNil
	case KindInt, KindUint, KindFloat, KindComplex:
		b.Bits = t.Bits()
		if integer := b.Kind == KindInt || b.Kind == KindUint; integer && !b.Duration {
			b.Names = namesOf(t)
		}
	case KindStruct:
		for i := 0; i < t.NumField(); i++ {
			if f := t.Field(i); !isHidden(f) {
				b.Fields = append(b.Fields, field(f, *part(f.Type)))
			}
		}
	case KindList:
		b.Elem = part(t.Elem())
		if t.Kind() == reflect.Array {
			b.Len = t.Len() + 1
		}
	case KindMap:
		b.Key, b.Elem = part(t.Key()), part(t.Elem())
	case KindPointer:
		b.Elem = part(t.Elem())
	case KindInterface:
		if d := ts.implementer(t); d != nil {
			b.Elem = part(d)
		}
	}
	return b
}

// field is a field of a type, with what its tag and package encoding/json make of it: an
// embedded struct without a name in JSON has its fields there beside the others.
func field(f reflect.StructField, of Basic) Field {
	tag := strings.Split(f.Tag.Get("json"), ",")
	own := Field{GoName: f.Name, Basic: of}
	if f.Anonymous && tag[0] == "" && of.Struct() != nil {
		own.Name, own.Embeds = f.Name, true
		return own
	}
	if !f.IsExported() || tag[0] == "-" && len(tag) == 1 {
		return own
	}
	for _, option := range tag[1:] {
		own.Omits = own.Omits || option == "omitempty" || option == "omitzero"
		own.Quoted = own.Quoted || option == "string" && of.isQuotable()
	}
	if own.Name = tag[0]; own.Name == "" {
		own.Name = f.Name
	}
	return own
}

// Problem says why a field cannot be what it is said to be; "" if it can.
func (f *Field) Problem() string {
	switch {
	case f.Embeds && (f.Struct() == nil || f.Name != f.GoName || f.Omits || f.Quoted):
		return "an embedded field is a struct, or a pointer to one, of which JSON has the fields, so that nothing else is said of it in JSON"
	case f.Quoted && !f.isQuotable():
		return "quoted are integers, floats, bools, strings, and pointers to them"
	}
	return ""
}

// isQuotable reports whether JSON has values of a type as strings where a tag says so.
func (b *Basic) isQuotable() bool {
	if b.Kind == KindPointer {
		b = b.Elem
	}
	switch b.Kind {
	case KindString, KindInt, KindUint, KindFloat, KindBool:
		return !b.Own
	}
	return false
}

// Struct is a struct, or that which a pointer points to; nil for another type.
func (b *Basic) Struct() *Basic {
	if b.Kind == KindPointer {
		b = b.Elem
	}
	if b.Kind != KindStruct {
		return nil
	}
	return b
}

// isHidden reports whether a field is no part of a struct's value: a lock, or one
// without a name.
func isHidden(f reflect.StructField) bool {
	return f.Name == "_" || f.Type.PkgPath() == "sync"
}

// Problem says why a type's values cannot be made up, as the end of a sentence
// that the parameter begins; "" if they can.
func (ts Types) Problem(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Func:
		return "is a function (" + t.String() + ")" + NoName
	case reflect.Chan:
		return "is a channel (" + t.String() + ")" + NoName
	case reflect.UnsafePointer:
		return "is an unsafe.Pointer" + NoName
	case reflect.Struct:
		if t == ts.Object {
			return "is another " + TypeName(t) + NoName
		}
	case reflect.Pointer:
		if t.Elem() == ts.Object && ts.Object.Kind() == reflect.Struct {
			return "is another " + TypeName(t) + NoName
		}
	case reflect.Interface:
		if t == contextType {
			return "is a context.Context, which has to be the first"
		}
		if t.NumMethod() > 0 && ts.implementer(t) == nil {
			return "is the interface " + t.String() + ", and no type of the package that has its methods is known" + NoName
		}
	}
	return ""
}

// NoName is what is wrong with a value that is known by nothing but itself.
const NoName = ", which a log cannot name"

// named is what interfaces such as error and fmt.Stringer are given.
type named string

func (n named) Error() string  { return string(n) }
func (n named) String() string { return string(n) }

// implementer is a type whose values an interface can be given; nil if none is
// known.
func (ts Types) implementer(t reflect.Type) reflect.Type {
	for _, c := range append([]reflect.Type{reflect.TypeOf(named(""))}, ts.Known...) {
		for _, d := range []reflect.Type{c, reflect.PointerTo(c)} {
			if d.Kind() != reflect.Interface && d.Implements(t) {
				return d
			}
		}
	}
	return nil
}

// Text is the Go text of the value that a log writes as v, and whether the type
// has it. A log writes values as this package does, [{alice 3} {bob 4}], as JSON, or
// as package fmt prints them. In an any, what reads as an integer is an int, nil is nil,
// and everything else a string.
func (b Basic) Text(v string) (text string, ok bool) {
	if b.Nil && v == "nil" {
		return v, true
	}
	switch b.Kind {
	case KindString:
		return strconv.Quote(v), true
	case KindAny:
		if text, ok := (Basic{Kind: KindInt, Bits: strconv.IntSize}).Text(v); ok && text == v {
			return text, true
		}
		if v == "nil" || v == "<nil>" {
			return "nil", true
		}
		return strconv.Quote(v), true
	case KindInterface:
		if v == "nil" || b.Elem == nil {
			return v, v == "nil"
		}
		return b.Elem.Text(v)
	}
	n, ok := b.read(v)
	switch {
	case !ok:
		_, nilable := b.Nilable()
		if nilable && v == "nil" {
			return v, true // a list or a map
		}
		return strconv.Quote(v), false
	case n.kind == KindString, n.kind == KindTime:
		return strconv.Quote(n.text), true
	}
	return string(n.appendText(nil)), true
}

func isInside(t reflect.Type, inside []reflect.Type) bool {
	for _, o := range inside {
		if o == t {
			return true
		}
	}
	return false
}

// TypeName is a type's name without pointer and package.
func TypeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return t.String()
	}
	return t.Name()
}
