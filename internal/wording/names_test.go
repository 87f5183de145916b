package wording_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// TestAsExpressions compares with regular expressions on random texts.
func TestAsExpressions(t *testing.T) {
	name, outcome := regexp.MustCompile(`^[\pL_][\pL\p{Nd}_]*`), regexp.MustCompile(`^\pL[\pL_-]+$`)
	pieces := []string{"a", "B", "é", "日", "_", "-", "1", "٣", "½", " ", "(", ".", "\xff", "\u0301", "\n"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := ""
		for range r.IntN(5) {
			s += pieces[r.IntN(len(pieces))]
		}
		want := name.FindString(s)
		if got := wording.NameLen(s); got != len(want) {
			t.Fatalf("Len(%q) = %d, want %d", s, got, len(want))
		}
		if got := wording.IsName(s); got != (s != "" && want == s) {
			t.Fatalf("Is(%q) = %v", s, got)
		}
		if got := wording.IsOutcomeName(s); got != outcome.MatchString(s) {
			t.Fatalf("IsOutcome(%q) = %v", s, got)
		}
	}
}
