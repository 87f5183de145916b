package formula

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/integer"
)

// TestSmaller compares all pairs of some values with arbitrary-precision numbers.
func TestSmaller(t *testing.T) {
	values := []history.Value{"0", "1", "2", "9", "10", "11", "-1", "-2", "-10", "99999999999999999999", "100000000000000000000", "-99999999999999999999",
		"", "-", "a", "1.5", "007", "+5", "-0", "1 ", "nil"}
	number := func(v history.Value) *big.Int {
		if n, ok := new(big.Int).SetString(string(v), 10); ok && n.String() == string(v) {
			return n
		}
		return nil
	}
	for _, v := range values {
		if integer.Is(v) != (number(v) != nil) {
			t.Errorf("integer.Is(%q) = %v", v, integer.Is(v))
		}
		for _, w := range values {
			want := number(v) != nil && number(w) != nil && number(v).Cmp(number(w)) < 0
			if integer.Less(v, w) != want {
				t.Errorf("%q < %q is %v", v, w, !want)
			}
		}
	}
}

func TestCompared(t *testing.T) {
	f, err := Parse("forall x:Op, y:Op. ret(x) = ret(y) & arg(x, 2) < 5 -> !(exists z:Op. arg(y) < ret(z) & arg(x) < arg(z))", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Term{{Fn: "arg", Index: 1}, {Fn: "arg", Index: 2}, {Fn: "ret", Index: 1}}
	if diff := cmp.Diff(want, Compared(f)); diff != "" {
		t.Error(diff)
	}
	if got := Compared(Equal{Term{Fn: "arg", Var: "x"}, Term{Fn: "ret", Var: "x"}}); got != nil {
		t.Errorf("an equation compares %v", got)
	}
}
