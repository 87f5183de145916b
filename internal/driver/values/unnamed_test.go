package values

import (
	"fmt"
	"testing"
)

// Numbers without a name of their own are read where the type prints them by a rule.
func TestUnnamed(t *testing.T) {
	b := Basic{Kind: KindInt, Bits: 8, Names: []Named{{Text: "red"}, {Text: "green", Value: 1}}}
	if got := b.Canonical("colour(-1)"); got != "colour(-1)" {
		t.Errorf("read as %s without a rule", got)
	}
	for k := int64(2); k < MostNamed; k++ {
		b.Names = append(b.Names, Named{Text: fmt.Sprintf("colour(%d)", k), Value: k})
	}
	for _, tt := range []struct {
		text, want string
		ok         bool
	}{
		{"green", "1", true}, {"colour(3)", "3", true}, {"colour(-1)", "-1", true}, {"colour(99)", "99", true},
		{"colour(1)", "", false}, {"colour(128)", "", false}, {"colour(+70)", "", false}, {"colour(070)", "", false}, {"colour()", "", false}, {"colour(", "", false}, {"state(99)", "", false},
	} {
		if _, ok := b.Text(tt.text); ok != tt.ok || ok && b.Canonical(tt.text) != tt.want {
			t.Errorf("%s: %s, %t", tt.text, b.Canonical(tt.text), ok)
		}
	}
}
