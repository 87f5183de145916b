// Package anytype makes random types, values of them, and what programs print of these, for
// tests. It imports the standard library alone.
//
//	t := anytype.Type(r, 3)
//	anytype.Value(r, v)       // v is a new variable of t
//	anytype.Printed(v)        // map[%v:[1 2] JSON:[1,2] ...]
package anytype

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

var timeType = reflect.TypeFor[time.Time]()

// leaves are types without parts; the first eight may be keys.
var leaves = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[string](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[complex128](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[rune](),
}

// Type is a type with parts to a depth.
func Type(r *rand.Rand, depth int) reflect.Type { return typed(r, depth, leaves) }

// Named is a type as Type makes it, with types that have methods in it.
func Named(r *rand.Rand, depth int) reflect.Type {
	return typed(r, depth, append(leaves[:len(leaves):len(leaves)], withMethods...))
}

func typed(r *rand.Rand, depth int, leaves []reflect.Type) reflect.Type {
	if depth == 0 || r.IntN(4) == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	part := func() reflect.Type { return typed(r, depth-1, leaves) }
	switch r.IntN(5) {
	case 0:
		return reflect.SliceOf(part())
	case 1:
		return reflect.ArrayOf(r.IntN(4), part())
	case 2:
		key := part()
		for !key.Comparable() || key.Kind() == reflect.Pointer || key == timeType || strings.Contains(key.String(), "*") {
			key = leaves[r.IntN(8)]
		}
		return reflect.MapOf(key, part())
	case 3:
		return reflect.PointerTo(part())
	}
	var fields []reflect.StructField
	for i := range r.IntN(4) {
		f := reflect.StructField{Name: fmt.Sprintf("F%d", r.IntN(6)+10*i), Type: part(), Tag: tags[r.IntN(len(tags))]}
		if inner := f.Type; r.IntN(2) == 0 {
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			f.Anonymous = inner.Kind() == reflect.Struct && inner.Name() == ""
		}
		if f.Anonymous {
			f.Name = fmt.Sprintf("E%d", r.IntN(10)+10*i) // often not one that its fields have
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// tags are what fields say about JSON, mostly nothing.
var tags = []reflect.StructTag{"", "", "", "", "", "", `json:"a"`, `json:",omitempty"`, `json:"b,omitzero"`, `json:",string"`, `json:"-"`}

// words are strings that are easily mistaken for something else.
var words = []string{"", "a", "alice", "two words", "3", "-0", "nil", "true", "[", "]", "map[", "{a}", `"`, `\`, "&", "^0", "a:b", "a,b", "#", "(1)", "é", "\xff", "\n", "\u2028", "x\x00"}

// Value gives v, a new variable, a value.
func Value(r *rand.Rand, v reflect.Value) {
	t := v.Type()
	word := func() string { return words[r.IntN(len(words))] }
	switch k := t.Kind(); {
	case v.CanInt() && t.PkgPath() == pkg || v.CanUint() && t.PkgPath() == pkg:
		v.Set(reflect.ValueOf(r.IntN(5)).Convert(t))
	case v.CanInt():
		v.SetInt(r.Int64() >> (64 - t.Bits() + r.IntN(t.Bits())))
	case v.CanUint():
		v.SetUint(r.Uint64() >> (64 - t.Bits() + r.IntN(t.Bits())))
	case k == reflect.String:
		v.SetString(word())
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(word()))
	case k == reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case v.CanFloat():
		v.SetFloat(float64(float32(r.NormFloat64() * 1e3)))
	case v.CanComplex():
		v.SetComplex(complex(r.NormFloat64(), float64(r.IntN(5)-2)))
	case t == timeType:
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1e10), r.Int64N(1e9)).UTC()))
	case k == reflect.Interface && t.NumMethod() == 0:
		if x := []any{nil, r.IntN(9), word(), true, "false"}[r.IntN(5)]; x != nil {
			v.Set(reflect.ValueOf(x))
		}
	default:
		parts(r, v)
	}
}

// parts gives a value to a variable that has parts.
func parts(r *rand.Rand, v reflect.Value) {
	t := v.Type()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				Value(r, v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(t, r.IntN(4), 4))
		}
		for i := range v.Len() {
			Value(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range r.IntN(4) {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			Value(r, key)
			Value(r, elem)
			v.SetMapIndex(key, elem)
		}
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(t.Elem()))
			Value(r, v.Elem())
		}
	}
}

// Printed is what programs print of a value, by how they do: %v, %+v, %#v, JSON, and other
// ways to write a number. Some of it may be what they print of other values, too.
func Printed(v reflect.Value) map[string]string {
	forms := map[string]string{"%v": fmt.Sprintf("%v", v), "%+v": fmt.Sprintf("%+v", v), "%#v": fmt.Sprintf("%#v", v)}
	if j, err := json.Marshal(v.Interface()); err == nil {
		forms["JSON"] = string(j)
	}
	switch {
	case v.CanInt():
		forms["+"], forms["point"] = fmt.Sprintf("%+d", v.Int()), fmt.Sprintf("%d.0", v.Int())
	case v.CanUint():
		forms["hexadecimal"], forms["exponent"] = fmt.Sprintf("%#x", v.Uint()), fmt.Sprintf("%de0", v.Uint())
	case v.CanFloat():
		forms["exponent"] = fmt.Sprintf("%.20e", v.Float())
	case v.Kind() == reflect.Bool:
		forms["upper"] = strings.ToUpper(fmt.Sprint(v))
		forms["title"] = forms["upper"][:1] + fmt.Sprint(v)[1:]
	}
	return forms
}
