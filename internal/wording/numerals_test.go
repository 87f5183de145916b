package wording

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func TestKey(t *testing.T) {
	for text, number := range map[string]bool{
		"": false, "0": true, "7": true, "00": false, "-1": false, "+1": false, "1e3": false, "a": false, "1 ": false,
		"999999999999999999": true, "1000000000000000000": false, "18446744073709551615": false,
	} {
		k := KeyOf(text)
		if n, ok := ParseNumber(text); ok != number || k.String() != text || k.Own() != k || ok && (KeyOf(text) != Numeral(int(n)) || strconv.FormatUint(n, 10) != text) {
			t.Errorf("%q: %d, %v, key %+v", text, n, ok, k)
		}
	}
}

// TestMap compares with a map of Go.
func TestMap(t *testing.T) {
	for seed := range testsize.Samples(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var m Map[int]
		want := map[string]*int{}
		spread, step := 1+r.IntN(1000), []uint64{1, 4, 16, 1 << 20, 1e17 / 1000}[r.IntN(5)]
		for range 2000 {
			text := strconv.FormatUint(uint64(r.IntN(spread))*step, 10)
			if r.IntN(8) == 0 {
				text += "x"
			}
			k := KeyOf(text)
			x := m.Get(k)
			if x != want[text] {
				t.Fatalf("seed %d: %q has %v, want %v", seed, text, x, want[text])
			}
			if x == nil {
				m.Delete(k)
				x = new(int)
				m.Put(k, x)
				want[text] = x
			} else if r.IntN(3) > 0 {
				m.Delete(k)
				delete(want, text)
			}
			if m.Len() != len(want) {
				t.Fatalf("seed %d: %d keys, want %d", seed, m.Len(), len(want))
			}
		}
		for text, x := range want {
			if m.Get(KeyOf(text)) != x {
				t.Fatalf("seed %d: %q is lost", seed, text)
			}
		}
	}
}

// Numbers that differ in few bits do not meet in one place.
func TestMapSpreads(t *testing.T) {
	for _, step := range []int{1, 4, 1024, 1 << 32, 1e9} {
		var m Map[int]
		const n = 100_000
		x := new(int)
		far := 0
		for i := range n {
			m.Put(Numeral(i*step), x)
		}
		for i := range n {
			far += (m.place(uint64(i*step)) - m.home(uint64(i*step))) & (len(m.slots) - 1)
		}
		if far > 20*n {
			t.Errorf("numbers with step %d are %d places from home on average", step, far/n)
		}
	}
}
