package logs_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func random(seed uint64) *history.Execution {
	t := historytest.Queue()
	t.Lost = 4
	r := rand.New(rand.NewPCG(seed, 61))
	return t.Execution(r, 2+r.IntN(6), 1+r.IntN(5), 0)
}

// TestOf compares with the definition: operations overlap unless one returned
// before the other was called.
func TestOf(t *testing.T) {
	for seed := range testsize.Samples(2_000) {
		e := random(seed)
		o, err := logs.Of(t.Context(), e.Ops)
		if err != nil {
			t.Fatal(err)
		}
		for b := range e.Ops {
			for a := range e.Ops {
				if o.Precedes(int32(a), int32(b)) != e.Before(a, b) {
					historytest.Fatal(t, e, "seed %d: %d precedes %d", seed, a, b)
				}
				i := slices.Index(o.Earlier[b], int32(a))
				if (i >= 0) != (a < b && !e.Before(a, b)) || i >= 0 && i != o.Index(int32(a), int32(b)) {
					historytest.Fatal(t, e, "seed %d: %d among %v, earlier than %d", seed, a, o.Earlier[b], b)
				}
			}
		}
	}
}

// TestAxioms: any way to order the pairs that overlap is a total order if and only
// if it keeps the axioms, which are found by Earlier and Predecessors.
func TestAxioms(t *testing.T) {
	orders, others := 0, 0
	for seed := range testsize.Samples(20_000) {
		e := random(seed % 500)
		o, err := logs.Of(t.Context(), e.Ops)
		if err != nil {
			t.Fatal(err)
		}
		n, r := len(e.Ops), rand.New(rand.NewPCG(seed, 67))
		before := make([][]bool, n)
		for i := range before {
			before[i] = make([]bool, n)
		}
		for b := range n {
			for a := range b {
				before[a][b] = o.Precedes(int32(a), int32(b)) || !e.Before(b, a) && r.IntN(3) > 0
				before[b][a] = !before[a][b]
			}
		}
		want := total(before)
		if got := keepsAxioms(o, before); got != want {
			historytest.Fatal(t, e, "seed %d: the axioms say %v, the definition %v: %v", seed, got, want, before)
		}
		if want {
			orders++
		} else {
			others++
		}
	}
	if min(orders, others) == 0 {
		t.Errorf("%d orders, %d others", orders, others)
	}
}

// total reports whether a tournament has no cycle.
func total(before [][]bool) bool {
	for i := range before {
		for j := range before {
			for k := range before {
				if before[i][j] && before[j][k] && !before[i][k] && i != k || before[i][j] && before[j][i] {
					return false
				}
			}
		}
	}
	return true
}

func keepsAxioms(o *logs.Overlaps, before [][]bool) bool {
	ok := true
	for c := range o.Earlier {
		for i, b := range o.Earlier[c] {
			for _, a := range o.Earlier[c][:i] {
				ab, bc, ac := before[a][b], before[b][c], before[a][c]
				ok = ok && !(ab && bc && !ac) && !(!ab && !bc && ac)
			}
			o.Predecessors(b, int32(c), nil, func(a int32) { ok = ok && (before[a][b] || before[b][c]) })
		}
	}
	return ok
}

func TestErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := logs.Of(ctx, random(1).Ops); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	many := make([]history.Operation, 3000)
	for i := range many {
		many[i] = history.Operation{Call: i, Return: history.NoReturn}
		many[i].Outcome = history.Pending
	}
	if _, err := logs.Of(t.Context(), many); !errors.Is(err, logs.ErrTooMany) {
		t.Errorf("3,000 operations that all overlap: %v", err)
	}
}

// TestEnds: the prefixes that end with a return, and the whole.
func TestEnds(t *testing.T) {
	th := historytest.Example(t, "queue")
	e := historytest.Log(t, th, "[1] call add(1)", "[2] call remove", "[2] return 1", "[1] return", "[3] call remove")
	if got := logs.Ends(e); !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("got %v", got)
	}
	if got := logs.Ends(e.Prefix(4)); !slices.Equal(got, []int{3, 4}) {
		t.Errorf("got %v", got)
	}
}

// TestPairs compares with the definition, also where fewer are asked for than there are.
func TestPairs(t *testing.T) {
	cut := 0
	for seed := range testsize.Samples(2_000) {
		e := random(seed)
		want := 0
		for b := range e.Ops {
			for a := range b {
				if !e.Before(a, b) && !e.Before(b, a) {
					want++
				}
			}
		}
		most := int(seed%13) + 1
		if want > most {
			want = most
			cut++
		}
		if got := logs.Pairs(e, most); got != want {
			historytest.Fatal(t, e, "seed %d: %d pairs of at most %d, want %d", seed, got, most, want)
		}
	}
	if cut == 0 {
		t.Error("there were never more pairs than asked for")
	}
}
