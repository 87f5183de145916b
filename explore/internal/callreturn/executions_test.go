package callreturn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// follow is the number of events of an execution after which it is refused, or 0.
func follow(t *testing.T, order Order, e *history.Execution) int {
	t.Helper()
	list := &calls.List{Fresh: map[string]int{"add": 0}, Labels: []history.Label{{Kind: history.Kind{Method: "remove"}}}, Methods: []history.MethodSig{
		{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
	}}
	call := make([]int32, len(e.Ops))
	for i, o := range e.Ops {
		if o.Method == "add" {
			call[i] = int32(len(list.Labels))
			list.Labels = append(list.Labels, history.Label{Kind: history.Kind{Method: "add"}, Args: o.Args})
		}
	}
	a := spec.NewAnswers()
	observer, err := New(order, list, a, linear.MostThreads)
	if err != nil {
		t.Fatal(err)
	}
	at, busy, thread := observer.Start(), [linear.MostThreads]bool{}, make([]int, len(e.Ops))
	for event := range e.Events {
		for i, o := range e.Ops {
			switch event {
			case o.Call:
				thread[i] = slices.Index(busy[:], false)
				busy[thread[i]] = true
				at = must(observer.Call(at, thread[i], call[i]))
			case o.Return:
				busy[thread[i]] = false
				at = must(observer.Return(at, thread[i], a.Number(spec.Answer{Outcome: o.Outcome, Rets: o.Rets})))
			}
		}
		if at == linear.None {
			return event + 1
		}
	}
	return 0
}

// TestExecutions compares with a search that tries all linearizations: random executions, larger ones than
// TestAllHistories has.
func TestExecutions(t *testing.T) {
	violations, pending := 0, 0
	for seed := range testsize.Samples(8000) {
		r := rand.New(rand.NewPCG(seed, 8))
		order := Order(seed % 2)
		typ := [2]historytest.Type{historytest.Queue(), historytest.Stack()}[order]
		e := typ.Execution(r, 3+r.IntN(7), 2+r.IntN(4), r.IntN(5))
		complete := true
		for i := range e.Ops {
			complete = complete && e.Ops[i].Completed()
		}
		if !complete {
			pending++
		}
		got, want := follow(t, order, e), typ.Model.ShortestViolation(e)
		if got > 0 && (want == 0 || want > got) || got == 0 && want > 0 && complete {
			historytest.Fatal(t, e, "seed %d, %s: refused after %d events, want %d", seed, typ.Name, got, want)
		}
		if got > 0 {
			violations++
		}
	}
	t.Logf("%d violations, %d executions with operations that run", violations, pending)
	if violations < 20 || pending < 10 {
		t.Errorf("%d violations, %d executions with operations that run", violations, pending)
	}
}
