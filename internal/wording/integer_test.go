package wording_test

import (
	"math/big"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
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
		if wording.IsInteger(v) != (number(v) != nil) {
			t.Errorf("integer.Is(%q) = %v", v, wording.IsInteger(v))
		}
		for _, w := range values {
			want := number(v) != nil && number(w) != nil && number(v).Cmp(number(w)) < 0
			if wording.LessInteger(v, w) != want {
				t.Errorf("%q < %q is %v", v, w, !want)
			}
		}
	}
}
