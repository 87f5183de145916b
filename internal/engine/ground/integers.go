package ground

import (
	"math/big"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// freshIntegers adds integers to the values of an execution, and those that formulas
// name: n below all of them, n above, and n between any two neighbours, or as
// many as there are. Whatever integers n places hold besides, some of these lie
// in the same order among the others, and formulas see no more than the order.
func freshIntegers(values, named []history.Value, n int) []history.Value {
	values = slices.Clone(values)
	for _, v := range named {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	var known []*big.Int
	for _, v := range values {
		if i, ok := number(v); ok {
			known = append(known, i)
		}
	}
	slices.SortFunc(known, (*big.Int).Cmp)
	if len(known) == 0 {
		return append(values, after(big.NewInt(0), nil, n)...)
	}
	least := new(big.Int).Sub(known[0], big.NewInt(int64(n)+1))
	values = append(values, after(least, known[0], n)...)
	for i, k := range known {
		var next *big.Int
		if i+1 < len(known) {
			next = known[i+1]
		}
		values = append(values, after(k, next, n)...)
	}
	return values
}

// after lists up to n integers after one, and before another if that is not nil.
func after(low, high *big.Int, n int) (values []history.Value) {
	for i := new(big.Int).Set(low); len(values) < n; {
		if i.Add(i, big.NewInt(1)); high != nil && i.Cmp(high) >= 0 {
			break
		}
		values = append(values, history.Value(i.String()))
	}
	return values
}

// FreshIntegers are the values that formulas name, and n integers below, above and
// between them: see freshIntegers.
func FreshIntegers(named []history.Value, n int) []history.Value { return freshIntegers(nil, named, n) }

// number is the number of a value, if it is one that formulas compare.
func number(v history.Value) (*big.Int, bool) {
	if !wording.IsInteger(v) {
		return nil, false
	}
	return new(big.Int).SetString(string(v), 10)
}

// openPlaces counts the places of values that pending operations have not returned.
func (in *Instance) openPlaces() (n int) {
	for i := range in.ops {
		if o := &in.ops[i]; !o.Completed() {
			most := 0
			for _, out := range in.theory.method(o.Method).Outcomes {
				most = max(most, out.Rets)
			}
			n += most
		}
	}
	return n
}
