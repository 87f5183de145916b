package history

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEight(t *testing.T) {
	check(t, func(t *rapid.T, rng source) {
		s := make([]byte, 8)
		for i := range s {
			s[i] = [...]byte{byte(rng.IntN(256)), '0' + byte(rng.IntN(10)), '0' + byte(rng.IntN(10)), "/:@?`\x7f\x80\x00az"[rng.IntN(10)]}[rng.IntN(4)]
		}
		w := eightOf("x"+string(s), 1)
		for i := range s {
			if got := byte(w >> (8 * i)); got != s[i] {
				t.Fatalf("byte %d of %q is %q", i, s, got)
			}
		}
		digits := 8 - len(strings.TrimLeft(string(s), "0123456789"))
		if w.digits() != digits {
			t.Fatalf("%q has %d digits", s, w.digits())
		}
		if n, _ := strconv.Atoi(string(s[:digits])); w.decimal(digits) != n {
			t.Fatalf("%q is %d", s, w.decimal(digits))
		}
	})
}
