package values

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestIsZero compares what is said of texts with reflect, for zero values and others.
func TestIsZero(t *testing.T) {
	zeros := 0
	for seed := range testsize.Samples(4000) {
		r := rand.New(rand.NewPCG(seed, 51))
		typ := anytype.Type(r, 2)
		v := reflect.New(typ).Elem()
		for _, given := range []bool{false, true} {
			if given {
				anytype.Value(r, v)
			}
			text, want := LogText(v), isZeroOrEmpty(v)
			b := Types{}.BasicOf(typ)
			if _, ok := b.Text(text); !ok || b.Kind == KindAny && text != "nil" && v.Elem().Kind() == reflect.String {
				continue
			}
			if got := b.IsZero(text); got != want {
				t.Fatalf("seed %d: %q, a %s, is zero: %t, want %t", seed, text, typ, got, want)
			}
			if want {
				zeros++
			}
		}
	}
	if zeros == 0 {
		t.Error("no zero value")
	}
}

func isZeroOrEmpty(v reflect.Value) bool {
	all := func(n int, part func(int) reflect.Value) bool {
		for i := range n {
			if !isZeroOrEmpty(part(i)) {
				return false
			}
		}
		return true
	}
	switch {
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return v.Len() == 0
	case v.Type() == timeType:
		return v.IsZero()
	case v.Kind() == reflect.Struct:
		return all(v.NumField(), v.Field)
	case v.Kind() == reflect.Array:
		return all(v.Len(), v.Index)
	}
	return v.IsZero()
}
