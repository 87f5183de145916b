package saturate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestClone goes on from a clone with the rest of another execution, and then with the
// original: neither notices the other.
func TestClone(t *testing.T) {
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			rules, err := clauses.Compile(s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			violating, n := 0, testsize.Samples(500)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 17))
				e := s.Random(r, 8)
				if rules.Validate(e) != nil {
					continue
				}
				o := saturate.Options{Removal: seed%2 == 0, Probe: seed%3 == 0}
				want := saturate.New(rules, o)
				goOn(t, want, e, 0, e.Events, nil)
				base := saturate.New(rules, o)
				cut := r.IntN(e.Events + 1)
				ops := goOn(t, base, e, 0, cut, nil)
				for range 2 {
					clone := base.Clone()
					switch r.IntN(3) { // what the clone does is nothing to the original
					case 0:
						for range 4 {
							if op, err := clone.Call(e.Ops[r.IntN(len(e.Ops))].Method, e.Ops[0].Args); err == nil {
								last := &e.Ops[r.IntN(len(e.Ops))]
								_, _ = clone.Return(op, last.Outcome, last.Rets)
							}
						}
					default:
						goOn(t, clone, e, cut, e.Events, ops)
						same(t, e, clone, want)
					}
				}
				goOn(t, base, e, cut, e.Events, ops)
				same(t, e, base, want)
				if want.Violation() != nil {
					violating++
				}
			}
			if violating == 0 {
				t.Error("no execution is a violation")
			}
		})
	}
}

func same(t *testing.T, e *history.Execution, got, want *saturate.Saturation) {
	t.Helper()
	if d := cmp.Diff(want.Violation(), got.Violation()); d != "" || got.Live() != want.Live() && want.Violation() == nil {
		historytest.Fatal(t, e, "%d live, want %d: %s", got.Live(), want.Live(), d)
	}
}

// goOn gives events of an execution to a saturation, the operations of earlier ones running.
func goOn(t *testing.T, s *saturate.Saturation, e *history.Execution, from, to int, before []saturate.Op) []saturate.Op {
	t.Helper()
	ops := make([]saturate.Op, len(e.Ops))
	copy(ops, before)
	for n := from; n < to; n++ {
		for i := range e.Ops {
			var err error
			switch o := &e.Ops[i]; {
			case o.Call == n:
				ops[i], err = s.Call(o.Method, o.Args)
			case o.Completed() && o.Return == n:
				_, err = s.Return(ops[i], o.Outcome, o.Rets)
			}
			if err != nil {
				historytest.Fatal(t, e, "%v", err)
			}
		}
	}
	return ops
}
