package check_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestOrdered: who asks for it gets an order of all events before a violation that the theory admits and real time allows,
// and that has all operations that returned.
func TestOrdered(t *testing.T) {
	for _, typ := range historytest.Examples() {
		t.Run(typ.Name, func(t *testing.T) {
			th := historytest.Example(t, typ.Name)
			admits := th.Sequences()
			asked, err := check.New(th, check.Options{Order: true})
			if err != nil {
				t.Fatal(err)
			}
			violations, orders := 0, 0
			for seed := range testsize.Samples(2000) {
				r := rand.New(rand.NewPCG(seed, 43))
				e := typ.Execution(r, 2+r.IntN(12), 1+r.IntN(4), 5)
				res, err := asked.Check(t.Context(), e)
				if err != nil || res.Verdict != check.Violation {
					continue
				}
				x, err := asked.Explain(t.Context(), e, res)
				if err != nil {
					t.Fatal(err)
				}
				before := e.Prefix(x.Prefix - 1)
				if !slices.ContainsFunc(before.Ops, func(o history.Operation) bool { return o.Completed() }) {
					continue // nothing need be in it
				}
				violations++
				if len(x.Order) == 0 {
					continue
				}
				orders++
				if err := explains(t.Context(), x.Order, before, admits.Admits); err != nil {
					t.Fatalf("seed %d: %v\n%v\n%v", seed, err, x.Order, e)
				}
			}
			t.Logf("%d orders of %d violations", orders, violations)
			if violations == 0 || orders*10 < violations*9 {
				t.Errorf("%d orders of %d violations", orders, violations)
			}
		})
	}
}

// explains says why an order explains no execution.
func explains(ctx context.Context, order []history.Operation, e *history.Execution, admits func(context.Context, []history.Label) (bool, bool, error)) error {
	at := map[string]int{}
	var labels []history.Label
	for i, o := range order {
		at[o.ID] = i
		labels = append(labels, o.Label)
	}
	for i := range e.Ops {
		a := &e.Ops[i]
		k, taken := at[a.ID]
		if a.Completed() && (!taken || fmt.Sprint(order[k].Label) != fmt.Sprint(a.Label)) {
			return fmt.Errorf("[%s] %v is not in it", a.ID, a.Label)
		}
		for j := range e.Ops {
			if b := &e.Ops[j]; taken && a.Return < b.Call && a.Completed() {
				if m, also := at[b.ID]; also && m < k {
					return fmt.Errorf("[%s] comes after [%s]", a.ID, b.ID)
				}
			}
		}
	}
	if ok, _, err := admits(ctx, labels); err != nil || !ok {
		return fmt.Errorf("the theory does not admit it: %v", err)
	}
	return nil
}
