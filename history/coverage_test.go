package history_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestCoverage compares the sweep over events with looking at all pairs.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var sum history.Coverage
	overlaps, kinds := int64(0), map[history.Kind]int64{}
	queue := historytest.Queue()
	for range testsize.Samples(2000) {
		e := queue.Execution(r, 1+r.IntN(8), 1+r.IntN(4), 0)
		c := history.Of(e)
		pairs := int64(0)
		for i := range e.Ops {
			if e.Ops[i].Completed() {
				kinds[e.Ops[i].Kind]++
			}
			for k := range i {
				if !e.Before(i, k) && !e.Before(k, i) {
					pairs++
				}
			}
		}
		if c.Overlaps != pairs || c.Operations != int64(len(e.Ops)) {
			t.Fatalf("%d pairs overlap, want %d: %v", c.Overlaps, pairs, e)
		}
		overlaps += pairs
		sum.Add(c)
	}
	if sum.Overlaps != overlaps || len(kinds) == 0 {
		t.Errorf("%d pairs in all, want %d", sum.Overlaps, overlaps)
	}
	for k, n := range kinds {
		if sum.Count(k) != n {
			t.Errorf("%d operations %v, want %d", sum.Count(k), k, n)
		}
	}
}

func ExampleCoverage() {
	var c history.Coverage
	c.Call() // an add
	c.Call() // a remove, before the add returned
	c.Return("add", history.None)
	c.Return("remove", history.Some)
	c.End()
	kinds := []history.Kind{{Method: "add", Outcome: history.None}, {Method: "remove", Outcome: history.Some}, {Method: "remove", Outcome: history.Nil}}
	fmt.Println(c.Text(kinds))
	// Output: 2 operations, at most 2 at once, 1 pair that overlaps; never seen: remove => nil
}
