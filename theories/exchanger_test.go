package theories_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// overlapping is a sequence with an order of its own.
type overlapping struct {
	*sequence
	e *history.Execution
}

func (o overlapping) Before(i, j int) bool { return o.e.Before(i, j) }

// exchanges makes a random execution of n exchanges, all of which return: some
// nothing, most what another one offered.
func exchanges(r *rand.Rand, n int) *history.Execution {
	e := &history.Execution{}
	var open []int
	for returned := 0; returned < n; e.Events++ {
		if len(e.Ops) < n && (len(open) == 0 || r.IntN(2) == 0) {
			open = append(open, len(e.Ops))
			id := strconv.Itoa(len(e.Ops) + 1)
			o := history.Operation{ID: id, Call: e.Events, Label: labels("exchange(" + id + ")=>nil")[0]}
			if r.IntN(4) > 0 {
				o.Outcome, o.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(1 + r.IntN(n)))}
			}
			e.Ops = append(e.Ops, o)
			continue
		}
		k := r.IntN(len(open))
		e.Ops[open[k]].Return = e.Events
		open = append(open[:k], open[k+1:]...)
		returned++
	}
	return e
}

// exchanged plays an execution: as soon as two exchanges run that offer what
// the other one returns, and neither has been paired, they swap.
func exchanged(e *history.Execution) bool {
	paired := make([]bool, len(e.Ops))
	for now := range e.Events {
		for i := range e.Ops {
			for j := range i {
				a, b := &e.Ops[i], &e.Ops[j]
				run := a.Call <= now && now < a.Return && b.Call <= now && now < b.Return
				if run && !paired[i] && !paired[j] && len(a.Rets) > 0 && len(b.Rets) > 0 && a.Rets[0] == b.Args[0] && b.Rets[0] == a.Args[0] {
					paired[i], paired[j] = true, true
				}
			}
		}
	}
	for i := range e.Ops {
		if paired[i] != (e.Ops[i].Outcome == history.Some) {
			return false
		}
	}
	return true
}

// TestExchanger: the axioms hold of a history exactly if two by two its
// exchanges can swap while they run. No engine takes the theory, for none of
// its pairs is a sequence.
func TestExchanger(t *testing.T) {
	th := load(t, "exchanger")
	ev, got := evaluate(th), counts{}
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		e := exchanges(r, 1+r.IntN(4))
		var ls []history.Label
		for i := range e.Ops {
			ls = append(ls, e.Ops[i].Label)
		}
		theory, model := holds(overlapping{ev.of(ls), e}, ev.axioms), exchanged(e)
		if got.add(theory, model); theory != model {
			t.Fatalf("theory %v, model %v\n%s", theory, model, historytest.Text(e))
		}
	}
	t.Log(got)
	if got.admitted < 2000 || got.histories-got.admitted < 2000 {
		t.Errorf("too one-sided a sample: %v", got)
	}
	for _, engine := range check.Engines() {
		e := exchanges(rand.New(rand.NewPCG(1, 1)), 3)
		if r, err := engine.Check(t.Context(), th, e); err == nil && r.Verdict == check.Violation {
			t.Errorf("%s: %+v", engine.Name(), r)
		}
	}
}
