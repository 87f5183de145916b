package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestCanonical compares canonical rows with the least text over all orders of
// values: rows that are the same but for the names of values have the same text.
func TestCanonical(t *testing.T) {
	different := 0
	for seed := range testsize.Samples(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 1 + r.IntN(5)
		one := randomRows(r, n)
		two := one
		if r.IntN(2) == 0 {
			two = randomRows(r, n)
		}
		two = renamed(two, r.Perm(n))
		r.Shuffle(len(two), func(i, j int) { two[i], two[j] = two[j], two[i] })
		same := least(n, one) == least(n, two)
		if !same {
			different++
		}
		if got := text(n, one) == text(n, two); got != same {
			t.Fatalf("seed %d: the same: %t, want %t\n%v\n%v", seed, got, same, one, two)
		}
	}
	if different == 0 {
		t.Error("all rows were the same")
	}
}

func randomRows(r *rand.Rand, n int) (rows []row) {
	for range 1 + r.IntN(6) {
		x := row{shape: r.IntN(2)}
		for range r.IntN(3) {
			v := isNew
			if r.IntN(3) > 0 {
				v = value(r.IntN(n))
			}
			x.of = append(x.of, v)
		}
		for range 1 + r.IntN(2) {
			if r.IntN(3) == 0 {
				x.entry = append(x.entry, token{text: "ok"})
			} else {
				x.entry = append(x.entry, token{true, string(value(r.IntN(n)))})
			}
		}
		rows = append(rows, x)
	}
	return rows
}

func value(i int) history.Value { return history.Value(fmt.Sprint("v", i)) }

// renamed are rows with other names for values.
func renamed(rows []row, names []int) (out []row) {
	name := map[string]string{}
	for i, n := range names {
		name[string(value(i))] = string(value(n))
	}
	for _, x := range rows {
		y := row{shape: x.shape}
		for _, v := range x.of {
			if v != isNew {
				v = history.Value(name[string(v)])
			}
			y.of = append(y.of, v)
		}
		for _, k := range x.entry {
			if k.atom {
				k.text = name[k.text]
			}
			y.entry = append(y.entry, k)
		}
		out = append(out, y)
	}
	return out
}

func text(n int, rows []row) string {
	values := make([]history.Value, n)
	for i := range values {
		values[i] = value(i)
	}
	return write(canonical(values, rows), rows)
}

// least is the least text over all orders of n values.
func least(n int, rows []row) (best string) {
	var try func(order []history.Value)
	try = func(order []history.Value) {
		if len(order) == n {
			if s := write(order, rows); best == "" || s < best {
				best = s
			}
			return
		}
		for i := range n {
			if !slices.Contains(order, value(i)) {
				try(append(slices.Clone(order), value(i)))
			}
		}
	}
	try(nil)
	return best
}
