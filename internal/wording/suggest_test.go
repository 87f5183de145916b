package wording

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	methods := []string{"add", "remove", "contains", "size"}
	for _, tc := range []struct{ word, want string }{
		{"ad", "add"},
		{"adn", "add"},
		{"Remove", "remove"},
		{"remvoe", "remove"},
		{"contians", "contains"},
		{"cntain", "contains"},
		{"sizes", "size"},
		{"x", ""},
		{"", ""},
		{"enqueue", ""},
	} {
		if got := Nearest(tc.word, methods); got != tc.want {
			t.Errorf("Nearest(%q) = %q, want %q", tc.word, got, tc.want)
		}
	}
	if got := Nearest("pop", nil); got != "" {
		t.Errorf("no candidates: got %q", got)
	}
	if got := Nearest("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("of several the earliest: got %q", got)
	}
}

// twin is the recursive definition of the distance.
func twin(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	i, j := len(a)-1, len(b)-1
	change := twin(a[:i], b[:j])
	if a[i] != b[j] {
		change++
	}
	d := min(twin(a[:i], b)+1, twin(a, b[:j])+1, change)
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		d = min(d, twin(a[:i-1], b[:j-1])+1)
	}
	return d
}

func TestDistanceTwin(t *testing.T) {
	word := rapid.SliceOfN(rapid.SampledFrom([]rune("abc")), 0, 5)
	testsize.Check(t, 1, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := distance(a, b), twin(a, b); got != want {
			t.Fatalf("distance(%q, %q) = %d, want %d", string(a), string(b), got, want)
		}
	})
}

func ExampleHint() {
	fmt.Printf("unknown method %q%s\n", "ad", Hint("ad", []string{"add", "remove"}))
	// Output: unknown method "ad"; did you mean "add"?
}
