package machine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// randomText has characters of several bytes, and bytes that are none.
func randomText(r *rand.Rand) string {
	parts := []string{"a", "b", "ä", "€", "\U0001F600", "\xff", "\xe2\x82"}
	var s strings.Builder
	for range r.IntN(5) {
		s.WriteString(parts[r.IntN(len(parts))])
	}
	return s.String()
}

func TestStringsAreGos(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	table := ir.NewStrings()
	panics := map[bool]int{}
	for range testsize.Samples(20_000) {
		a, b := randomText(r), randomText(r)
		x, y := table.Number(a), table.Number(b)
		for _, c := range []struct {
			op   ir.Op
			want ir.Word
		}{{ir.Eq, truth(a == b)}, {ir.Ne, truth(a != b)}, {ir.Lt, truth(a < b)}, {ir.Le, truth(a <= b)}, {ir.Add, table.Number(a + b)}} {
			if got := Strings(table, c.op, x, y); got != c.want {
				t.Fatalf("seed %d: operation %d of %q and %q: %d, want %d", seed, c.op, a, b, got, c.want)
			}
		}
		i, j, k := r.IntN(8)-2, r.IntN(10)-2, r.IntN(12)-2
		var char byte
		var part string
		text := panicking(func() { char = a[i] })
		if got, panics := CharAt(a, ir.I64, ir.Word(i)); panics != text || got != ir.Word(char) {
			t.Fatalf("seed %d: %q[%d]: %d %q, want %d %q", seed, a, i, got, panics, char, text)
		}
		text = panicking(func() { part = a[i:j] })
		if got, panics := Substring(table, x, ir.Word(i), ir.Word(j)); panics != text || table.Text(got) != part {
			t.Fatalf("seed %d: %q[%d:%d]: %q %q, want %q %q", seed, a, i, j, table.Text(got), panics, part, text)
		}
		panics[text != ""]++
		bytes := []byte(a)
		text = panicking(func() { _ = bytes[i:j] })
		if got := SliceBounds("capacity", ir.Word(cap(bytes)), ir.Word(i), ir.Word(j)); got != text {
			t.Fatalf("seed %d: %q[%d:%d]: %q, want %q", seed, bytes, i, j, got, text)
		}
		text = panicking(func() { _ = bytes[i:j:k] })
		if got := FullSliceBounds("capacity", ir.Word(cap(bytes)), ir.Word(i), ir.Word(j), ir.Word(k)); got != text {
			t.Fatalf("seed %d: %q[%d:%d:%d]: %q, want %q", seed, bytes, i, j, k, got, text)
		}
		panics[text != ""]++
	}
	if panics[true] == 0 || panics[false] == 0 {
		t.Errorf("that panic, and not: %v", panics)
	}
}

func TestRunesOfStrings(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 4))
	table := ir.NewStrings()
	for range testsize.Samples(5_000) {
		a := randomText(r)
		var got, want []int
		for i, c := range a {
			want = append(want, i, int(c))
		}
		var at ir.Word
		for {
			ok, index, char, next := NextRune(a, at)
			if ok == 0 {
				break
			}
			got = append(got, int(index), int(char))
			at = next
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: range over %q: %v, want %v", seed, a, got, want)
		}
		words := func(n int, at func(int) ir.Word) []ir.Word {
			ws := make([]ir.Word, n)
			for i := range ws {
				ws[i] = at(i)
			}
			return ws
		}
		if s := table.Text(Text(table, words(len(a), func(i int) ir.Word { return ir.Word(a[i]) }), false)); s != a {
			t.Fatalf("seed %d: bytes of %q: %q", seed, a, s)
		}
		runes := []rune(a)
		if r.IntN(4) == 0 {
			runes = append(runes, -1, 0xD800, 0x110000)
		}
		if s := table.Text(Text(table, words(len(runes), func(i int) ir.Word { return ir.Word(int64(runes[i])) }), true)); s != string(runes) {
			t.Fatalf("seed %d: runes %x: %q, want %q", seed, runes, s, string(runes))
		}
	}
}

func TestUnsignedIndexOutOfRange(t *testing.T) {
	i := ^uint64(0)
	s := "abc"
	want := panicking(func() { _ = s[i] })
	if _, got := CharAt(s, ir.U64, i); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
