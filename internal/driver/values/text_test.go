package values

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testsize"
)

var leaves = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[string](),
	reflect.TypeFor[bool](), reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[complex128](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[rune](),
}

// randomType is a type with parts to a depth.
func randomType(r *rand.Rand, depth int) reflect.Type {
	if depth == 0 || r.IntN(4) == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	part := func() reflect.Type { return randomType(r, depth-1) }
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
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: part()})
	}
	return reflect.StructOf(fields)
}

// words are strings that are easily mistaken for something else.
var words = []string{"", "a", "alice", "two words", "3", "-0", "nil", "true", "[", "]", "map[", "{a}", `"`, `\`, "&", "^0", "a:b", "a,b", "#", "(1)", "é", "\xff", "\n", "\u2028", "x\x00"}

// randomValue gives v, a new variable, a value.
func randomValue(r *rand.Rand, v reflect.Value) {
	t := v.Type()
	word := func() string { return words[r.IntN(len(words))] }
	switch KindOf(t) {
	case KindInt:
		v.SetInt(r.Int64() >> (64 - t.Bits() + r.IntN(t.Bits())))
	case KindUint:
		v.SetUint(r.Uint64() >> (64 - t.Bits() + r.IntN(t.Bits())))
	case KindString:
		v.SetString(word())
	case KindBytes:
		v.SetBytes([]byte(word()))
	case KindBool:
		v.SetBool(r.IntN(2) == 0)
	case KindFloat:
		v.SetFloat(float64(float32(r.NormFloat64() * 1e3)))
	case KindComplex:
		v.SetComplex(complex(r.NormFloat64(), float64(r.IntN(5)-2)))
	case KindTime:
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1e10), r.Int64N(1e9)).UTC()))
	case KindAny:
		if x := []any{nil, r.IntN(9), word(), true, "false"}[r.IntN(5)]; x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case KindStruct:
		for i := range v.NumField() {
			randomValue(r, v.Field(i))
		}
	case KindList:
		if t.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(t, r.IntN(4), 4))
		}
		for i := range v.Len() {
			randomValue(r, v.Index(i))
		}
	case KindMap:
		v.Set(reflect.MakeMap(t))
		for range r.IntN(4) {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			randomValue(r, key)
			randomValue(r, elem)
			v.SetMapIndex(key, elem)
		}
	case KindPointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(t.Elem()))
			randomValue(r, v.Elem())
		}
	}
}

// TestTextRoundTrip writes random values of random types as logs have them and
// reads them again.
func TestTextRoundTrip(t *testing.T) {
	for seed := range uint64(testsize.Samples(20_000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := randomType(r, 3)
		v := reflect.New(typ).Elem()
		randomValue(r, v)
		log := LogText(v)
		b := Types{}.BasicOf(typ)
		text, ok := b.Text(log)
		if !ok {
			t.Fatalf("seed %d: a %s is not %s", seed, typ, log)
		}
		if c := b.Canonical(log); c != log {
			t.Fatalf("seed %d: %s, a %s, is %s as an answer", seed, log, typ, c)
		}
		if typ != reflect.TypeFor[any]() && text != GoText(v) {
			t.Fatalf("seed %d: %s, a %s, is %s in Go, not %s", seed, log, typ, GoText(v), text)
		}
		a, ok := Types{}.Parse(typ, text)
		if !ok || LogText(a.Value) != log || typ.Kind() != reflect.Interface && !reflect.DeepEqual(a.Value.Interface(), v.Interface()) {
			t.Fatalf("seed %d: %s, a %s, becomes %#v", seed, log, typ, a.Value)
		}
	}
}

// FuzzRead reads texts as values of many types: no panic, and what is read is
// written as what is read again.
func FuzzRead(f *testing.F) {
	for i, s := range []string{"[1 2]", "{alice 3}", "map[a:1 b:2]", "&{x nil}", `{"F0":1,"F1":[2]}`, "[[] []]", `"`, "&&1", "{{{", "map[nil:", `["a b" ""]`} {
		f.Add(uint64(i), s)
	}
	for seed := range uint64(50) {
		f.Add(seed, `["0" "00"]`)
		f.Add(seed, `{"nil" "+1"}`)
		f.Add(seed, `map["1":"1e0" "01":""]`)
	}
	f.Fuzz(func(t *testing.T, seed uint64, log string) {
		typ := randomType(rand.New(rand.NewPCG(seed, 1)), 3)
		b := Types{}.BasicOf(typ)
		canonical := b.Canonical(log)
		if again := b.Canonical(canonical); again != canonical {
			t.Errorf("%q, a %s, is %q and then %q", log, typ, canonical, again)
		}
		text, ok := b.Text(log)
		if !ok {
			return
		}
		a, ok := Types{}.Parse(typ, text)
		if !ok {
			t.Fatalf("%q is a %s, but %q is not", log, typ, text)
		}
		if got := LogText(a.Value); typ.Kind() != reflect.Pointer && got != canonical {
			t.Errorf("%q, a %s, is %q, and its value %q", log, typ, canonical, got)
		}
	})
}

// TestNumbered compares the text of numbered values with the values themselves.
func TestNumbered(t *testing.T) {
	for seed := range uint64(testsize.Samples(5_000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		typ := randomType(r, 3)
		k := 1 + r.IntN(50)
		if d := (Types{}).DomainOf(typ); d > 0 {
			k = 1 + r.IntN(d)
		}
		b := Types{}.BasicOf(typ)
		if _, ok := b.Text(b.Numbered(k)); !ok {
			t.Fatalf("seed %d: number %d of %s is %s, which is none", seed, k, typ, b.Numbered(k))
		}
		if a := (Types{}).Argument(typ, k); !strings.Contains(typ.String(), "bool") && k < 50 && b.Numbered(k) != LogText(a.Value) {
			t.Fatalf("seed %d: number %d of %s is %s, its text %s", seed, k, typ, LogText(a.Value), b.Numbered(k))
		}
	}
}

// TestNumberedInteger compares numbered integers with the texts of parts, which are read
// and written.
func TestNumberedInteger(t *testing.T) {
	for _, kind := range []string{KindInt, KindUint} {
		for _, bits := range []int{8, 16, 32, 64} {
			for k := 1; k < 3000; k++ {
				b := Basic{Kind: kind, Bits: bits}
				if n := b.numbered(k); b.Numbered(k) != n.plain() {
					t.Fatalf("%s%d: value %d is %s, as a part %s", kind, bits, k, b.Numbered(k), n.plain())
				}
			}
		}
	}
}
