package check_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestModelsAgree compares wgl with the built-in models and the symbolic
// engine, where the theory speaks of the execution.
func TestModelsAgree(t *testing.T) {
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			engine := ready(t, by{Engine: "wgl", Model: s.name}, th)
			counts := map[check.Verdict]int{}
			for seed := range testsize.Samples(300) {
				r := rand.New(rand.NewPCG(seed, 31))
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				got, err := engine.Check(t.Context(), th, e)
				if err != nil {
					t.Fatal(err)
				}
				if want := s.Model.ShortestViolation(e); got.Prefix != want || (got.Verdict == check.Linearizable) != (want == 0) {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, got, want, historytest.Text(e))
				}
				counts[got.Verdict]++
			}
			t.Log(counts)
		})
	}
}

// TestOutsideTheLanguage: a value that is inserted again is nothing the theory
// speaks of; a model decides that, by key.
func TestOutsideTheLanguage(t *testing.T) {
	th := build(t, set)
	lines := []string{"[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)", "[3] return -",
		"[4] call contains(2)", "[4] return -", "[5] call contains(1)", "[5] return -"}
	for _, tt := range []struct {
		engine checking
		events int
		want   check.Result
	}{
		{by{Engine: "wgl", Model: "set"}, 8, check.Result{Verdict: check.Linearizable, Parts: 2}},
		{by{Engine: "wgl", Model: "set", LRU: 1}, 10, check.Result{Verdict: check.Violation, Prefix: 10, Parts: 2}},
	} {
		tt.want.Engine, tt.want.Events = tt.engine.Name(), tt.events
		got, err := tt.engine.Check(t.Context(), th, historytest.Log(t, th, lines...).Prefix(tt.events))
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s, %d events: %v, -want +got\n%s", tt.engine.Name(), tt.events, err, diff)
		}
	}
}
