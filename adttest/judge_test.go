package adttest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// TestKnown compares the keys of histories with their logs: they are the same
// for the same histories of a scenario.
func TestKnown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	j := &judge{}
	logs, repeated := map[string]bool{}, 0
	j.forget()
	for range 3000 {
		e := randomRound(rng)
		var b strings.Builder
		if err := history.WriteJSON(&b, e); err != nil {
			t.Fatal(err)
		}
		if got := j.known(e); got != logs[b.String()] {
			t.Fatalf("known is %v for\n%s", got, b.String())
		}
		if logs[b.String()] {
			repeated++
		}
		logs[b.String()] = true
	}
	if repeated == 0 || len(logs) < 100 {
		t.Errorf("%d histories, %d repeated: nothing to tell apart", len(logs), repeated)
	}
}

// randomRound is a round of two threads that each call remove at most twice.
func randomRound(rng *rand.Rand) *history.Execution {
	e := &history.Execution{}
	names := []string{"thread 1", "thread 2"}
	open, calls := [2]int{-1, -1}, [2]int{}
	for range rng.IntN(9) {
		p := rng.IntN(2)
		if i := open[p]; i >= 0 {
			o := &e.Ops[i]
			o.Outcome, o.Return, open[p] = history.Nil, e.Events, -1
			if rng.IntN(2) == 0 {
				o.Outcome, o.Rets = history.Some, []history.Value{[]history.Value{"1", "2"}[rng.IntN(2)]}
			}
		} else if calls[p]++; calls[p] <= 2 {
			open[p] = len(e.Ops)
			e.Ops = append(e.Ops, history.Operation{ID: string(rune('1' + len(e.Ops))), Process: names[p],
				Label: history.Label{Kind: history.Kind{Method: "remove"}}, Call: e.Events, Return: history.NoReturn})
		} else {
			break
		}
		e.Events++
	}
	return e
}
