package check_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// timedLog writes an execution as JSON Lines in which events share moments:
// moment[i] is that of event i, and never decreases. The events of a moment come
// in a random order, but for calls before their own returns.
func timedLog(r *rand.Rand, e *history.Execution, moment []int) string {
	lines, owner := make([]string, e.Events), make([]int, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		lines[o.Call] = fmt.Sprintf(`{"op": %s, "event": "call", "method": %q, "args": [%s], "time": %d}`, o.ID, o.Method, typedValues(o.Args), moment[o.Call])
		owner[o.Call] = i
		if o.Completed() {
			rets := fmt.Sprintf(`[%s]`, typedValues(o.Rets))
			if o.Outcome == history.Nil {
				rets = "[null]"
			}
			lines[o.Return] = fmt.Sprintf(`{"op": %s, "event": "return", "rets": %s, "time": %d}`, o.ID, rets, moment[o.Return])
			owner[o.Return] = i
		}
	}
	order := r.Perm(e.Events)
	var out []string
	for from := 0; from < e.Events; {
		to := from
		for to < e.Events && moment[to] == moment[from] {
			to++
		}
		called := map[int]bool{}
		for range to - from { // repeatedly the first in the random order that may come
			for k, i := range order {
				o := -1
				if i >= from && i < to {
					o = owner[i]
				}
				if o < 0 || e.Ops[o].Return == i && e.Ops[o].Call >= from && !called[o] {
					continue
				}
				called[o] = called[o] || e.Ops[o].Call == i
				out = append(out, lines[i])
				order[k] = -1
				break
			}
		}
		from = to
	}
	return strings.Join(out, "\n") + "\n"
}

func typedValues(vs []history.Value) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, ", ")
}

// TestTies: events at one moment may stand in any order in the log. No engine's
// verdict depends on it, and the shortest violating prefix ends at the same moment.
func TestTies(t *testing.T) {
	n := testsize.Samples(50)
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			sig, err := th.Signature(nil)
			if err != nil {
				t.Fatal(err)
			}
			engines := []checking{by{Engine: "symbolic"}, by{Engine: "saturate"}, oracle{}, by{Engine: "monitor"}, by{}}
			for i := range engines {
				engines[i] = ready(t, engines[i], th)
			}
			counts := map[check.Verdict]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 31))
				e := s.Execution(r, 2+r.IntN(6), 2+r.IntN(3), 6)
				moment := make([]int, e.Events)
				for i := 1; i < len(moment); i++ {
					moment[i] = moment[i-1] + r.IntN(2)
				}
				var first [5]check.Result
				for permutation := range 4 {
					log := timedLog(r, e, moment)
					read, err := history.ReadLog(strings.NewReader(log), "ties.jsonl", sig)
					if err != nil {
						t.Fatalf("%v\n%s", err, log)
					}
					for k, engine := range engines {
						got, err := engine.Check(t.Context(), th, read)
						if errors.As(err, new(*check.OutsideLanguage)) || errors.As(err, new(*monitor.OutsideClass)) {
							continue
						}
						if err != nil {
							t.Fatalf("%s: %v\n%s", engine.Name(), err, log)
						}
						if got.Prefix > 0 { // the moment of its last event
							got.Prefix = moment[got.Prefix-1] + 1
						}
						if permutation == 0 {
							first[k] = got
							counts[got.Verdict]++
						}
						if got.Verdict != first[k].Verdict || got.Prefix != first[k].Prefix {
							t.Fatalf("seed %d, %s: %s at moment %d, in another order %s at %d\n%s", seed, engine.Name(),
								got.Verdict, got.Prefix-1, first[k].Verdict, first[k].Prefix-1, log)
						}
					}
				}
			}
			t.Log(counts)
			if counts[check.Violation] < int(n/10) || counts[check.Linearizable] < int(n/10) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
