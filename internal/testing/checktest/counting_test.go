package checktest

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// longest is the number of steps of the longest chain of operations.
func longest(e *history.Execution) int {
	steps, most := make([]int, len(e.Ops)), 0
	for j := range e.Ops {
		for i := range e.Ops {
			if e.Before(i, j) {
				steps[j] = max(steps[j], steps[i]+1)
			}
		}
		most = max(most, steps[j])
	}
	return most
}

func before(e *history.Execution) map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for i := range e.Ops {
		for j := range e.Ops {
			if e.Before(i, j) {
				pairs[[2]string{e.Ops[i].ID, e.Ops[j].ID}] = true
			}
		}
	}
	return pairs
}

// TestWeaken: a weakening is an execution of the same operations, keeps a part
// of the order, all of it if k is large, what precedes the operations that
// begin in the last k columns in any case, and has no more than k steps.
func TestWeaken(t *testing.T) {
	forgot, q := 0, historytest.Queue() // what its operations do does not matter here
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 47))
		e := q.Execution(r, 1+r.IntN(12), 1+r.IntN(4), 0)
		start, _, last := columns(e)
		all := before(e)
		for k := 1; k <= last+1; k++ {
			w := weaken(e, k)
			if len(w.Ops) != len(e.Ops) || w.Events != e.Events {
				t.Fatalf("seed %d, k=%d: %d operations, %d events", seed, k, len(w.Ops), w.Events)
			}
			some := before(w)
			for p := range some {
				if !all[p] {
					t.Fatalf("seed %d, k=%d: %v was not ordered", seed, k, p)
				}
			}
			for j := range e.Ops {
				for i := range e.Ops {
					if e.Before(i, j) && start[j] > last-k && !some[[2]string{e.Ops[i].ID, e.Ops[j].ID}] {
						t.Fatalf("seed %d, k=%d: %d before %d was forgotten", seed, k, i, j)
					}
				}
			}
			if n := longest(w); n > k {
				t.Fatalf("seed %d, k=%d: a chain of %d steps", seed, k, n)
			}
			if k >= last && len(some) != len(all) {
				t.Fatalf("seed %d, k=%d: order was forgotten without need", seed, k)
			}
			forgot += len(all) - len(some)
		}
	}
	if forgot == 0 {
		t.Error("nothing was ever forgotten")
	}
}

// TestAgrees: what counting finds are violations, and it does not see them before
// they are there. Larger bounds find more ("Monitoring refinement" Figure 14).
func TestAgrees(t *testing.T) {
	th, stack := historytest.Example(t, "stack"), historytest.Stack()
	symbolic, err := check.New(th, check.Options{Engine: "symbolic"})
	if err != nil {
		t.Fatal(err)
	}
	n := testsize.Samples(300)
	violations, found := 0, map[int]int{}
	for _, k := range []int{1, 2, 4} {
		engine, err := NewCounting(th, k)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range n {
			r := rand.New(rand.NewPCG(seed, 48))
			e := stack.Execution(r, 8, 3, 5)
			want, err := symbolic.Check(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			got, err := engine.Check(t.Context(), e)
			switch {
			case err != nil:
				t.Fatal(err)
			case got.Verdict == check.Violation && want.Verdict == check.Violation && got.Prefix >= want.Prefix:
				found[k]++
			case got.Verdict != check.NoViolationFound:
				t.Fatalf("seed %d, counting %d: %+v, symbolic says %+v\n%s", seed, k, got, want, historytest.Text(e))
			}
			if k == 1 && want.Verdict == check.Violation {
				violations++
			}
		}
	}
	t.Logf("%d violations, found by counting: %v", violations, found)
	if found[1] > found[2] || found[2] > found[4] || found[4] < violations*3/4 || violations < int(n)/5 {
		t.Errorf("counting found %v of %d", found, violations)
	}
}

func TestRefused(t *testing.T) {
	if _, err := NewCounting(historytest.Example(t, "queue"), 0); err == nil {
		t.Error("no step of the order is kept")
	}
}
