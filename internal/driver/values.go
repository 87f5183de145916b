//go:build go1.21

package driver

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Kinds of argument and result types.
const (
	KindInt    = "int"
	KindUint   = "uint"
	KindString = "string"
	KindBool   = "bool"
	KindAny    = "any"
)

// kindOf classifies a type that can carry a value; "" if it cannot.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return KindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return KindUint
	case reflect.String:
		return KindString
	case reflect.Bool:
		return KindBool
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return KindAny
		}
	}
	return ""
}

// Concrete integers are offset + step*k: far from 0, 1 and lengths where the
// width allows, and in the order of their numbers, for references that compare.
const (
	offset, step           = 1001, 37
	narrowOffset, narrowBy = 20, 1
)

// domainOf is the number of different values a type has to offer; 0 means that
// there is no practical bound.
func domainOf(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Bool:
		return 2
	case reflect.Int8:
		return (math.MaxInt8 - narrowOffset) / narrowBy
	case reflect.Uint8:
		return (math.MaxUint8 - narrowOffset) / narrowBy
	case reflect.Int16:
		return (math.MaxInt16 - offset) / step
	case reflect.Uint16:
		return (math.MaxUint16 - offset) / step
	}
	return 0
}

// maxNumber is the highest number that a value may have: far above what any
// history has, and low enough for every type that is not in domainOf.
const maxNumber = 1 << 16

// concreteInt is the integer that number k stands for in a type of so many bits.
func concreteInt(k, bits int) int64 {
	if bits == 8 {
		return int64(narrowOffset + narrowBy*k)
	}
	return int64(offset + step*k)
}

// concreteString is the string that number k stands for: v1, v9, w10, x100, so
// that strings compare as their numbers do.
func concreteString(k int) string {
	digits := strconv.Itoa(k)
	return string(rune('v'+min(len(digits)-1, 4))) + digits
}

// injected is one argument value of the running sequence.
type injected struct {
	kind string
	i    int64
	s    string
	k    int
}

// argument is a concrete value with what is needed to know it again.
type argument struct {
	value reflect.Value
	injected
}

// makeArgument builds the concrete value of type t that number k stands for.
func makeArgument(t reflect.Type, k int) argument {
	v := reflect.New(t).Elem()
	a := argument{value: v, injected: injected{kind: KindInt, k: k}}
	switch kindOf(t) {
	case KindInt:
		a.i = concreteInt(k, t.Bits())
		v.SetInt(a.i)
	case KindUint:
		a.i = concreteInt(k, t.Bits())
		v.SetUint(uint64(a.i))
	case KindString:
		a.kind, a.s = KindString, concreteString(k)
		v.SetString(a.s)
	case KindBool:
		a.kind = KindBool
		if k == 1 {
			a.i = 1
		}
		v.SetBool(k == 1)
	case KindAny:
		a.i = concreteInt(k, strconv.IntSize)
		v.Set(reflect.ValueOf(int(a.i)))
	}
	return a
}

// parseForeign reads the text of a value that no argument had as a value of
// type t.
func parseForeign(t reflect.Type, text string) (reflect.Value, bool) {
	v := reflect.New(t).Elem()
	var err error
	switch kindOf(t) {
	case KindInt:
		var i int64
		i, err = strconv.ParseInt(text, 10, t.Bits())
		v.SetInt(i)
	case KindUint:
		var u uint64
		u, err = strconv.ParseUint(text, 10, t.Bits())
		v.SetUint(u)
	case KindString:
		if s, uerr := strconv.Unquote(text); uerr == nil {
			text = s
		}
		v.SetString(text)
	case KindBool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	default:
		if i, ierr := strconv.Atoi(text); ierr == nil {
			v.Set(reflect.ValueOf(i))
		} else if s, uerr := strconv.Unquote(text); uerr == nil {
			v.Set(reflect.ValueOf(s))
		} else {
			return v, false
		}
	}
	return v, err == nil
}

// readBack finds the number of a returned value among the sequence's arguments,
// or else its Go text. Integers of different types are compared as integers.
func readBack(v reflect.Value, used []injected) (k int, text string) {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, "nil"
		}
		v = v.Elem()
	}
	switch kindOf(v.Type()) {
	case KindInt:
		return find(used, KindInt, v.Int(), ""), strconv.FormatInt(v.Int(), 10)
	case KindUint:
		text = strconv.FormatUint(v.Uint(), 10)
		if v.Uint() > math.MaxInt64 {
			return 0, text
		}
		return find(used, KindInt, int64(v.Uint()), ""), text
	case KindString:
		return find(used, KindString, 0, v.String()), strconv.Quote(v.String())
	case KindBool:
		var i int64
		if v.Bool() {
			i = 1
		}
		return find(used, KindBool, i, ""), strconv.FormatBool(v.Bool())
	}
	return 0, fmt.Sprintf("%+v", v)
}

func find(used []injected, kind string, i int64, s string) int {
	for n := range used {
		if u := &used[n]; u.i == i && u.s == s && u.kind == kind {
			return u.k
		}
	}
	return 0
}

// Basic is what a type says of its values.
type Basic struct {
	Kind string `json:"kind"`           // KindInt, ...
	Bits int    `json:"bits,omitempty"` // of integers
}

func basicOf(t reflect.Type) Basic {
	b := Basic{Kind: kindOf(t)}
	if b.Kind == KindInt || b.Kind == KindUint {
		b.Bits = t.Bits()
	}
	return b
}

// Text is the Go text of the value that a log writes as v, and whether the type
// has it. A log writes integers without leading zeros and strings without quotes;
// in an any, what reads as an integer is an int, and everything else a string.
func (b Basic) Text(v string) (text string, ok bool) {
	switch b.Kind {
	case KindInt:
		i, err := strconv.ParseInt(v, 10, b.Bits)
		return v, err == nil && strconv.FormatInt(i, 10) == v
	case KindUint:
		u, err := strconv.ParseUint(v, 10, b.Bits)
		return v, err == nil && strconv.FormatUint(u, 10) == v
	case KindBool:
		return v, v == "true" || v == "false"
	case KindAny:
		if text, ok := (Basic{KindInt, strconv.IntSize}).Text(v); ok {
			return text, true
		}
	}
	return strconv.Quote(v), true
}
