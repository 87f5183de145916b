package monitor_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestEnough: what is left of a violating prefix when it is made smaller is a violation by itself,
// whatever pending operations may do.
func TestEnough(t *testing.T) {
	testsize.NeedsLong(t)
	for i, k := range kinds(t) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 17))
			violations, less := 0, 0
			for range samples(50_000) {
				e := small(r, k.Type)
				found, err := k.Check(t.Context(), e)
				if yes, known := k.Linearizable(t.Context(), e); known != (err == nil) || yes != found.Linearizable {
					historytest.Fatal(t, e, "%v, known %v, and by Check %v, %v", yes, known, found.Linearizable, err)
				}
				if err != nil || found.Linearizable {
					continue
				}
				left := k.Enough(e, found.Prefix)
				if left == nil {
					continue
				}
				if k.Model.Linearizable(left) {
					t.Fatalf("of the first %d events of\n%s\nthese are no violation:\n%s", found.Prefix, e, left)
				}
				if violations++; len(left.Ops) < len(e.Prefix(found.Prefix).Ops) {
					less++
				}
			}
			if less < violations/2 || less == 0 {
				t.Errorf("of %d violations only %d were made smaller", violations, less)
			}
		})
	}
}

// TestLeft: a value counts as one that nothing took if no remove took it, also where one was
// called before the value was added.
func TestLeft(t *testing.T) {
	queue := example(t, "queue")
	log := "[1] call remove\n[2] call add(1)\n[2] return\n[1] return 1\n[3] call add(2)\n[3] return\n"
	sig, err := queue.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := history.ReadLog(strings.NewReader(log), "log", sig)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []int{0, 0, 1, 1, 0, 1, 1} {
		if got, ok := selected(t, queue).Selected.Left(e, n); !ok || got != want {
			t.Errorf("after %d events %d values are left, want %d", n, got, want)
		}
	}
}
