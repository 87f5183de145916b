package monitor_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// stealingType is a deque whose owner takes what it gave last, and whose thieves
// steal what it gave first; by its third method something looks if that is peek.
func stealingType(name string, methods ...string) historytest.Type {
	x := historytest.Queue()
	x.Name, x.Model = name, ends(name)
	for _, m := range methods {
		x.Methods = append(x.Methods, historytest.Method{Name: m, Outcomes: x.Methods[1].Outcomes})
	}
	return x
}

// TestWorkStealing: the example gives and takes like a queue with two removers,
// and is decided as one. A deque with two ends is of no shape that has a name. If
// nothing looks at its values its table is enough to decide most executions, and
// general engines decide the others; if something does, all of them. Whoever
// decides, it is what the model says.
func TestWorkStealing(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    historytest.Type
		th    *theory.Theory
		shape string // of the procedure; "" for none
		least int    // of 100 executions, how many it decides
	}{
		{"the example", historytest.Worksteal(), example(t, "worksteal"), "queue", 100},
		{"two ends", stealingType("stealing", "steal"), inferred(t, "stealing"), "container", 90},
		{"two ends and a look", stealingType("peekstealing", "steal", "peek"), inferred(t, "peekstealing"), "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, err := selectFor(t, tt.th)
			var not *monitor.NotRecognized
			switch {
			case tt.shape == "" && errors.As(err, &not):
				t.Log(not)
			case err != nil || m.Shape() != tt.shape:
				t.Fatalf("%v, want a %s", err, tt.shape)
			default:
				t.Log(m.Why())
			}
			w := &stealTest{t, tt.of, tt.th, m, map[string]int{}}
			r := rand.New(rand.NewPCG(5, 5))
			total := samples(3000)
			if m == nil {
				total = max(40, samples(60))
			}
			for range total {
				w.one(tt.of.Execution(r, 3+r.IntN(9), 2+r.IntN(4), []int{0, 4, 8}[r.IntN(3)]))
			}
			t.Log(w.counts)
			if n := w.counts["decided"]; n*100 < tt.least*total || min(w.counts[verdict(1)], w.counts[verdict(0)]) < total/5 {
				t.Error("too few")
			}
		})
	}
}

type stealTest struct {
	*testing.T
	of     historytest.Type
	theory *theory.Theory
	m      *monitor.Procedure // nil if there is none
	counts map[string]int
}

// one decides an execution by the procedure, and by the general engines if there
// is none or it does not decide this one.
func (w *stealTest) one(e *history.Execution) {
	first := w.of.Model.ShortestViolation(e)
	w.counts[verdict(first)]++
	if w.m != nil {
		got, err := w.m.Check(w.Context(), e)
		outside := (*monitor.OutsideClass)(nil)
		if !errors.As(err, &outside) {
			if err != nil || got.Linearizable != (first == 0) || got.Shortest && got.Prefix != first {
				w.Fatalf("%+v, %v; the model says violation after %d events\n%s", got, err, first, historytest.Text(e))
			}
			w.counts["decided"]++
			return
		}
		w.counts[outside.Reason]++
	}
	got, err := checktest.By{}.Check(w.Context(), w.theory, e)
	if err != nil || string(got.Verdict) != verdict(first) || got.Prefix != first && got.Detail == "" {
		w.Fatalf("%+v, %v; the model says violation after %d events\n%s", got, err, first, historytest.Text(e))
	}
}

func verdict(first int) string {
	if first > 0 {
		return string(check.Violation)
	}
	return string(check.Linearizable)
}
