package theory

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestPatternsOfTexts compares what the reader accepts with the patterns of the schema.
func TestPatternsOfTexts(t *testing.T) {
	for _, x := range []struct {
		name, pattern string
		is            func(string) bool
		pieces        []string
	}{
		{"source", sourcePattern, isSource, []string{"sha256:", strings.Repeat("0a", 32), strings.Repeat("f", 63), "9", "A", " ", "g"}},
		{"path", pathPattern, isPath, []string{"a", "B1", "日", "é", "_", "~", "+", "-", "1", "/", "/", ".", "..", " ", "\\", "@", "\u0301", "\xff"}},
	} {
		re, r, fits := regexp.MustCompile(x.pattern), rand.New(rand.NewPCG(1, 2)), 0
		for range 50_000 {
			s := ""
			for range r.IntN(7) {
				s += x.pieces[r.IntN(len(x.pieces))]
			}
			want := re.MatchString(s)
			if got := x.is(s); got != want {
				t.Fatalf("%s: %q: %v, by the pattern %v", x.name, s, got, want)
			}
			if want {
				fits++
			}
		}
		if fits < 100 {
			t.Errorf("%s: only %d texts fit", x.name, fits)
		}
	}
}
