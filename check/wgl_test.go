package check_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

func TestBuiltinModels(t *testing.T) {
	for _, model := range wgl.Builtins() {
		for _, name := range []string{"register", "queue", "stack", "set", "lock", "worksteal"} {
			t.Run(model+" for "+name, func(t *testing.T) {
				_, err := wgl.ForTheory(t.Context(), historytest.Example(t, name), model)
				if (err == nil) != (model == name || model == "worksteal" && name == "queue" || model == "cas-register" && name == "register") { // without one of the removes
					t.Errorf("BuiltinModel: %v", err)
				}
				if err != nil && !errors.As(err, new(*wgl.Mismatch)) {
					t.Errorf("BuiltinModel: %v is no mismatch", err)
				}
			})
		}
	}
	if _, err := wgl.ForTheory(t.Context(), build(t, queue), "quue"); err == nil || !strings.Contains(err.Error(), `did you mean "queue"`) {
		t.Errorf("BuiltinModel: %v", err)
	}
}

// forgetful is a set that calls a removal read-only.
type forgetful struct{ wgl.Model }

func (forgetful) ReadOnly(l *history.Label) bool { return l.Method == "remove" }

// deep is a queue with room for four values: what is wrong with it shows late.
type deep struct{ wgl.Model }

func (d deep) Init() wgl.State { return counted{d.Model.Init(), 0} }

func (d deep) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	c := s.(counted)
	next, ok := d.Model.Step(c.State, l)
	return counted{next, c.n + 1}, ok && c.n < 3
}

type counted struct {
	wgl.State
	n int
}

func (c counted) Equal(s wgl.State) bool {
	return c.n == s.(counted).n && c.State.Equal(s.(counted).State)
}

func TestVerifyModel(t *testing.T) {
	q, _ := wgl.Builtin("queue")
	if err := wgl.Verify(t.Context(), build(t, queue), deep{q}); !errors.As(err, new(*wgl.Mismatch)) {
		t.Errorf("a queue that takes no more than three operations: %v", err)
	}
	s, _ := wgl.Builtin("set")
	if err := wgl.Verify(t.Context(), build(t, set), forgetful{s}); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a set that calls removals read-only: %v", err)
	}
}

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
// speaks of; a model decides that, by key or not.
func TestOutsideTheLanguage(t *testing.T) {
	th := build(t, set)
	lines := []string{"[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)", "[3] return -",
		"[4] call contains(2)", "[4] return -", "[5] call contains(1)", "[5] return -"}
	for _, tt := range []struct {
		engine checking
		events int
		want   check.Result
	}{
		{by{Engine: "wgl", Model: "set"}, 8, check.Result{Verdict: check.Linearizable}},
		{by{Engine: "wgl", Model: "set"}, 10, check.Result{Verdict: check.Violation, Prefix: 10}},
		{by{Engine: "wgl", Model: "set", Partition: true}, 8, check.Result{Verdict: check.Linearizable, Parts: 2}},
		{by{Engine: "wgl", Model: "set", Partition: true, LRU: 1}, 10, check.Result{Verdict: check.Violation, Prefix: 10, Parts: 2}},
	} {
		tt.want.Engine, tt.want.Events = tt.engine.Name(), tt.events
		got, err := tt.engine.Check(t.Context(), th, historytest.Log(t, th, lines...).Prefix(tt.events))
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s, %d events: %v, -want +got\n%s", tt.engine.Name(), tt.events, err, diff)
		}
	}
}
