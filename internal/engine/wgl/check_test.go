package wgl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestCheckAgainstAllOrders compares answer and shortest prefix with a search
// that tries everything, under every option.
func TestCheckAgainstAllOrders(t *testing.T) {
	for _, s := range types() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m, violations, n := builtin(t, s), 0, testsize.Samples(2000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 1))
				s.Lost = int(seed%2) * 8
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 6)
				first := s.Model.ShortestViolation(e)
				want := wgl.Result{Linearizable: first == 0, Prefix: first}
				if first > 0 {
					violations++
				}
				for _, o := range []wgl.Options{{}, {LRU: 1}, {LRU: 3}, {Partition: true}, {Partition: true, LRU: 2}} {
					got, err := wgl.Check(t.Context(), m, e, o)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(wgl.Result{}, "Parts", "Order", "State")); diff != "" {
						t.Fatalf("seed %d, %+v: -want +got\n%s%s", seed, o, diff, historytest.Text(e))
					}
					if bad := explains(s.Model, e, got); bad != "" {
						t.Fatalf("seed %d, %+v: %v: %s\n%s", seed, o, got.Order, bad, historytest.Text(e))
					}
				}
			}
			t.Logf("%d violations", violations)
			if violations < int(n)*3/20 || violations > int(n)*17/20 {
				t.Errorf("too one-sided a sample: %d violations of %d", violations, n)
			}
		})
	}
}

// TestManyPending compares answer and shortest prefix where a half of the operations never
// return, with a search that tries everything.
func TestManyPending(t *testing.T) { testManyPending(t) }

// TestSparing: so it is where the search tries first without two pending operations in a row.
func TestSparing(t *testing.T) {
	t.Cleanup(wgl.SparingFrom(1))
	testManyPending(t)
}

func testManyPending(t *testing.T) {
	for _, s := range types() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m, violations, n := builtin(t, s), 0, testsize.Samples(3000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 31))
				s := s
				if s.Lost = 2 + int(seed%2); seed%4 > 1 { // many are alike
					s = s.Reusing(1 + r.IntN(2))
				}
				e := s.Execution(r, 3+r.IntN(5), 2+r.IntN(4), 3)
				first := s.Model.ShortestViolation(e)
				if first > 0 {
					violations++
				}
				for _, o := range []wgl.Options{{}, {LRU: 2}} {
					got, err := wgl.Check(t.Context(), m, e, o)
					if err != nil || got.Linearizable != (first == 0) || got.Prefix != first {
						t.Fatalf("seed %d: %+v, %v, and the shortest violating prefix is %d\n%s", seed, got, err, first, historytest.Text(e))
					}
					if bad := explains(s.Model, e, got); bad != "" {
						t.Fatalf("seed %d: %v: %s\n%s", seed, got.Order, bad, historytest.Text(e))
					}
				}
			}
			if t.Logf("%d violations of %d", violations, n); violations < int(n)/50 {
				t.Error("too few violations")
			}
		})
	}
}

// TestManyAtATime runs more operations at a time than a word has bits.
func TestManyAtATime(t *testing.T) {
	s := historytest.Set()
	m := builtin(t, s)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		e := s.Execution(r, 300, 80, 2000)
		a, err := wgl.Check(t.Context(), m, e, wgl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := wgl.Check(t.Context(), m, e, wgl.Options{Partition: true})
		if err != nil {
			t.Fatal(err)
		}
		if b.Parts != 2 {
			t.Errorf("seed %d: %d parts", seed, b.Parts)
		}
		b.Parts = 0
		if diff := cmp.Diff(a, b, cmpopts.IgnoreFields(wgl.Result{}, "Order", "State")); diff != "" {
			t.Errorf("seed %d: -whole +parts\n%s", seed, diff)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := historytest.Queue()
	r := rand.New(rand.NewPCG(1, 3))
	e := s.Execution(r, 400, 3, 0)
	for _, o := range []wgl.Options{{}, {Partition: true}} {
		if _, err := wgl.Check(ctx, builtin(t, s), e, o); err != context.Canceled {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// explains says what is wrong with a result's order as a linearization of the
// execution, or of the longest prefix that has one.
func explains(m historytest.Model, e *history.Execution, r wgl.Result) string {
	if !r.Linearizable {
		e = e.Prefix(r.Prefix - 1)
	}
	states, taken := []string{""}, make([]bool, len(e.Ops))
	for i, op := range r.Order {
		if int(op) >= len(e.Ops) || taken[op] {
			return fmt.Sprintf("operation %d cannot be taken", op)
		}
		taken[op] = true
		for _, later := range r.Order[i+1:] {
			if e.Before(int(later), int(op)) {
				return fmt.Sprintf("operation %d returned before %d was called", later, op)
			}
		}
		var after []string
		for _, s := range states {
			for _, w := range m(s, &e.Ops[op].Label) {
				if !e.Ops[op].Completed() || w.Gives(&e.Ops[op].Label) {
					after = append(after, w.Next)
				}
			}
		}
		if states = after; len(states) == 0 {
			return fmt.Sprintf("operation %d is not allowed", op)
		}
	}
	for op := range e.Ops {
		if e.Ops[op].Completed() && !taken[op] {
			return fmt.Sprintf("operation %d is missing", op)
		}
	}
	return ""
}
