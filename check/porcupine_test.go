package check_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// peer decides an execution with Porcupine, a general linearizability checker.
// A pending operation returns after everything else, with any answer.
func peer(m historytest.Model, e *history.Execution) bool {
	var ops []porcupine.Operation
	for i := range e.Ops {
		o := &e.Ops[i]
		op := porcupine.Operation{ClientId: i, Input: &o.Label, Call: int64(o.Call), Output: o, Return: int64(o.Return)}
		if !o.Completed() {
			op.Return = int64(e.Events)
		}
		ops = append(ops, op)
	}
	return porcupine.CheckOperationsTimeout(porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			way := m(state.(string), input.(*history.Label))[0]
			o := output.(*history.Operation)
			return !o.Completed() || way.Gives(&o.Label), way.Next
		},
	}, ops, 5*time.Minute) == porcupine.Ok
}

// TestSymbolicAgainstPorcupine compares on executions too long for the search
// of the other tests, about half of them complete.
func TestSymbolicAgainstPorcupine(t *testing.T) {
	for _, s := range subjects[:4] { // the set's language is too narrow here
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			engine := ready(t, check.Symbolic{}, th)
			counts := map[check.Verdict]int{}
			for seed := range uint64(150) {
				r := rand.New(rand.NewPCG(seed, 13))
				e := s.Execution(r, 10+r.IntN(25), 2+r.IntN(4), 30)
				if r.IntN(2) == 0 {
					e = complete(e)
				}
				res, err := engine.Check(t.Context(), th, e)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				counts[res.Verdict]++
				if want := peer(s.Model, e); want != (res.Verdict == check.Linearizable) {
					t.Fatalf("seed %d: %+v, Porcupine says %v\n%s", seed, res, want, historytest.Text(e))
				}
				if res.Verdict == check.Violation {
					n := res.Prefix
					if peer(s.Model, e.Prefix(n)) || !peer(s.Model, e.Prefix(n-1)) {
						t.Fatalf("seed %d: Porcupine does not say that %d is the shortest prefix\n%s", seed, n, historytest.Text(e))
					}
				}
			}
			if counts[check.Violation] < 20 || counts[check.Linearizable] < 20 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// complete leaves the pending operations out.
func complete(e *history.Execution) *history.Execution {
	c := *e
	c.Ops = slices.DeleteFunc(slices.Clone(e.Ops), func(o history.Operation) bool { return !o.Completed() })
	return &c
}
