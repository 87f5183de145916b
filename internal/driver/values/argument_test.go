package values

import (
	"math"
	"reflect"
	"testing"
)

// TestArguments checks that every number of a type's domain has a value of its
// own, in order, that is read back as the number.
func TestArguments(t *testing.T) {
	type named string
	for _, v := range []interface{}{int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0),
		uint32(0), uint64(0), "", named(""), false} {
		typ := reflect.TypeOf(v)
		most := Types{}.DomainOf(typ)
		if most == 0 || most > 1200 {
			most = 1200
		}
		var used []injected
		for k := 1; k <= most; k++ {
			a := Types{}.Argument(typ, k)
			if n, _ := readBack(a.Value, used); n != 0 {
				t.Fatalf("%s: numbers %d and %d have the same value", typ, n, k)
			}
			if k > 1 && typ.Kind() != reflect.Bool && !less(Types{}.Argument(typ, k-1).Value, a.Value) {
				t.Errorf("%s: number %d is not above number %d", typ, k, k-1)
			}
			used = append(used, a.known...)
			if n, _ := readBack(a.Value, used); n != k {
				t.Fatalf("%s: number %d reads as %d", typ, k, n)
			}
		}
	}
}

func less(a, b reflect.Value) bool {
	switch KindOf(a.Type()) {
	case KindInt:
		return a.Int() < b.Int()
	case KindUint:
		return a.Uint() < b.Uint()
	}
	return a.String() < b.String()
}

func TestReadBack(t *testing.T) {
	used := []injected{Types{}.Argument(reflect.TypeOf(0), 1).known[0], Types{}.Argument(reflect.TypeOf(""), 2).known[0]}
	seven, nothing := 7, (*int)(nil)
	for _, c := range []struct {
		value interface{}
		k     int
		text  string
	}{
		{concreteInt(1, 64), 1, ""},
		{uint32(concreteInt(1, 64)), 1, ""},
		{"v2", 2, ""},
		{"v1", 0, `"v1"`},
		{0, 0, "0"},
		{uint64(math.MaxUint64), 0, "18446744073709551615"},
		{&seven, 0, "7"},
		{nothing, 0, "nil"},
		{true, 0, "true"},
		{struct{ A int }{3}, 0, "{3}"},
		{[]int{1, int(concreteInt(1, 64))}, 0, "=[(1) 1]"},
		{[]int{}, 0, "[]"},
		{&struct{ A *int }{&seven}, 0, "{&7}"},
		{map[string]bool{"v2": true, "x": false}, 0, "=map[2:(true) (x):(false)]"},
	} {
		if k, text := readBack(reflect.ValueOf(c.value), used); k != c.k || text != c.text {
			t.Errorf("%v reads as %d, %s", c.value, k, text)
		}
	}
}

func TestParseForeign(t *testing.T) {
	for _, c := range []struct {
		text string
		like interface{}
		ok   bool
	}{
		{"0", 0, true}, {"-5", int8(-5), true}, {"300", int8(0), false}, {"7", uint(7), true}, {"-7", uint(0), false},
		{`"a b"`, "a b", true}, {"plain", "plain", true}, {"true", true, true}, {"maybe", false, false},
	} {
		a, ok := Types{}.Parse(reflect.TypeOf(c.like), c.text)
		if ok != c.ok || ok && a.Value.Interface() != c.like {
			t.Errorf("%q as %T: %v, %v", c.text, c.like, a.Value, ok)
		}
	}
}
