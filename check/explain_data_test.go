package check_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// TestExplainRecorded explains every recorded violation by the patterns and by
// the axioms; the model does not admit the operations that are left.
func TestExplainRecorded(t *testing.T) {
	models := map[string]historytest.Model{"atomic-queue": historytest.Queue().Model, "atomic-stack": historytest.Stack().Model}
	patterns := containers(t)
	axioms := map[string]*theory.Theory{"atomic-queue": byHand(t, "queue"), "atomic-stack": byHand(t, "stack")}
	engines := map[*theory.Theory]checktest.Ready{}
	for object := range patterns {
		for _, th := range []*theory.Theory{patterns[object], axioms[object]} {
			engines[th] = ready(t, by{}, th)
		}
	}
	n, longest, before, after := 0, 0, 0, 0
	var spent, slowest time.Duration
	for _, row := range historytest.Recordings(t) {
		if row.Linearizable || row.Ops >= 400 {
			continue
		}
		for _, th := range []*theory.Theory{patterns[row.Object], axioms[row.Object]} {
			e := row.Read(t, th)
			start := time.Now()
			x, err := engines[th].Explain(t.Context(), e, check.Result{Verdict: check.Violation, Prefix: row.Prefix})
			took := time.Since(start)
			if err != nil {
				t.Errorf("%s: %v", row.File, err)
				continue
			}
			if !x.Minimal || len(x.Reasons) == 0 || len(x.Execution.Ops) > 60 || models[row.Object].Linearizable(x.Execution) {
				t.Errorf("%s: %+v\n%s", row.File, x, historytest.Text(x.Execution))
			}
			n, spent, slowest, longest = n+1, spent+took, max(slowest, took), max(longest, len(x.Execution.Ops))
			before, after = before+len(e.Prefix(row.Prefix).Ops), after+len(x.Execution.Ops)
		}
	}
	t.Logf("%d explanations in %v, the slowest in %v; %d operations left of %d, at most %d", n, spent, slowest, after, before, longest)
}

// swapped is a queue's execution of n values in pairs of overlapping adds and
// removes, with two removes in the wrong order near the end.
func swapped(n int) *history.Execution {
	e := &history.Execution{}
	add := func(method string, out history.Outcome, v int, call, ret int) {
		o := history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Call: e.Events + call, Return: e.Events + ret}
		o.Label = history.Label{Kind: history.Kind{Method: method, Outcome: out}}
		if vs := []history.Value{history.Value(strconv.Itoa(v))}; method == "add" {
			o.Args = vs
		} else {
			o.Rets = vs
		}
		e.Ops = append(e.Ops, o)
	}
	for v := 0; v < n; v += 2 {
		add("add", history.None, v, 0, 2)
		add("add", history.None, v+1, 1, 3)
		e.Events += 4
		if v == 0 {
			continue
		}
		a, b := v-2, v-1
		if v == n-2 {
			a, b = n-2, n-4 // the last value but one leaves before an older one
		}
		add("remove", history.Some, a, 0, 2)
		add("remove", history.Some, b, 1, 3)
		e.Events += 4
		if v == n-2 {
			e.Ops[len(e.Ops)-2].Return, e.Ops[len(e.Ops)-1].Call = e.Events-3, e.Events-2
		}
	}
	return e
}

// BenchmarkExplain explains one violation near the end of a long execution.
func BenchmarkExplain(b *testing.B) {
	for _, n := range []int{100, 1000, 5000} {
		b.Run(strconv.Itoa(2*n), func(b *testing.B) {
			e, th := swapped(n), build(b, queue)
			r, err := by{Engine: "symbolic"}.Check(context.Background(), th, e)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				x, err := explanations(context.Background(), th, e, r)
				if err != nil || !x.Minimal || len(x.Execution.Ops) > 4 {
					b.Fatal(err, x)
				}
			}
		})
	}
}
