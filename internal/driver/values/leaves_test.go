package values

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/anytype"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

type inner struct{ X, Y int }

type outer struct {
	At   inner
	name string
	Tags []string
	_    int
	In   *inner
}

// TestLeaves: the text of a struct is split into the texts of its fields.
func TestLeaves(t *testing.T) {
	ts := Types{}
	v := reflect.ValueOf(outer{At: inner{1, 2}, name: "a b", Tags: []string{"x", ""}, In: &inner{3, 4}})
	paths := ts.Paths(v.Type())
	var got []string
	for _, leaf := range AppendLeaves(nil, v, paths) {
		got = append(got, LogText(leaf))
	}
	want := []string{"1", "2", "a b", `[x ""]`, "&{3 4}"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	b := ts.BasicOf(v.Type())
	for _, text := range []string{LogText(v), `{{1 2} "a b" [x ""] &{3 4}}`} {
		if split, ok := b.Split(text); !ok || !reflect.DeepEqual(split, want) {
			t.Errorf("%s: %q, want %q", text, split, want)
		}
	}
	if split, ok := b.Split("{1 2}"); ok {
		t.Errorf("it has other fields, and was read as %q", split)
	}
}

// TestLeavesRandom: values of random structs have as many leaves as their types, and these
// are what is read back from the whole's text.
func TestLeavesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	ts, structs := Types{}, 0
	for range testsize.Samples(20_000) {
		typ := anytype.Named(r, 3)
		b, paths := ts.BasicOf(typ), ts.Paths(typ)
		if b.Splits() != (paths != nil) {
			t.Fatalf("%v: %v, but %d paths", typ, b.Splits(), len(paths))
		}
		if paths == nil {
			continue
		}
		structs++
		v := reflect.New(typ).Elem()
		anytype.Value(r, v)
		types, leaves := b.Leaves(), AppendLeaves(nil, v, paths)
		split, ok := b.Split(LogText(v))
		if !ok { // a number in it prints as another one
			split, ok = b.Unnamed().Split(LogText(v))
		}
		if !ok || len(types) != len(leaves) || len(split) != len(leaves) {
			t.Fatalf("%v: %s: %d types, %d leaves, %q", typ, LogText(v), len(types), len(leaves), split)
		}
		for i, leaf := range leaves {
			if typ.FieldByIndex(paths[i]).Type != leaf.Type() {
				t.Fatalf("%v: leaf %d is a %v", typ, i, leaf.Type())
			}
			if want := types[i].Canonical(LogText(leaf)); split[i] != want {
				t.Fatalf("%v: %s: leaf %d is %q, want %q", typ, LogText(v), i, split[i], want)
			}
		}
	}
	if structs < 100 {
		t.Errorf("%d structs only", structs)
	}
}
