package values

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestTextRoundTrip writes random values of random types as logs have them and
// reads them again.
func TestTextRoundTrip(t *testing.T) {
	for seed := range uint64(testsize.Samples(20_000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := anytype.Type(r, 3)
		v := reflect.New(typ).Elem()
		anytype.Value(r, v)
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
		typ := anytype.Type(rand.New(rand.NewPCG(seed, 1)), 3)
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
		typ := anytype.Type(r, 3)
		k := 1 + r.IntN(50)
		if d := (Types{}).DomainOf(typ); d > 0 {
			k = 1 + r.IntN(d)
		}
		b := Types{}.BasicOf(typ)
		if _, ok := b.Text(b.Numbered(k)); !ok {
			t.Fatalf("seed %d: number %d of %s is %s, which is none", seed, k, typ, b.Numbered(k))
		}
		if a := (Types{}).Argument(typ, k); !strings.Contains(typ.String(), "bool") && b.Numbered(k) != LogText(a.Value) {
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
