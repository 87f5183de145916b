package theories_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// types are those with a theory written by hand.
func types() []historytest.Type {
	return append(examples(), historytest.PlainSet(), historytest.Semaphore())
}

// examples are those for which there is an inferred theory, too.
func examples() []historytest.Type {
	all := historytest.Examples()
	for i := range all {
		all[i].Keyed = false // axioms, too, speak of the values that calls return
	}
	return all
}

// engineOf is an engine made ready for one theory.
type engineOf struct {
	checktest.Engine
	of *theory.Theory
}

func prepared(t *testing.T, th *theory.Theory) engineOf {
	t.Helper()
	return engineOf{checktest.Prepare(t, checktest.By{Engine: "symbolic"}, th), th}
}

// check checks an execution; ok is false if it is outside the language.
func (s engineOf) check(t *testing.T, e *history.Execution) (r check.Result, ok bool) {
	t.Helper()
	r, err := s.Check(t.Context(), s.of, e)
	var outside *check.OutsideLanguage
	if errors.As(err, &outside) {
		return r, false
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, historytest.Text(e))
	}
	return r, true
}

// TestSymbolicAgainstModels: the axioms, grounded with guards for pending
// operations, decide as a search over an executable model does.
func TestSymbolicAgainstModels(t *testing.T) {
	for _, s := range types() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			engine := prepared(t, load(t, s.Name))
			counts, pending := map[check.Verdict]int{}, 0
			n := testsize.Samples(2400)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 3))
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				res, ok := engine.check(t, e)
				if !ok {
					continue
				}
				counts[res.Verdict]++
				want := s.Model.ShortestViolation(e)
				wrong := (res.Verdict == check.Linearizable) != (want == 0)
				switch {
				case res.Verdict == check.Inconclusive:
					wrong = s.Name != "set" || res.Detail == "" // a pending insert may succeed a second time
				case want > 0:
					wrong = wrong || res.Prefix != want && res.Detail == "" || len(res.Patterns) == 0
					if prefix := e.Prefix(want); len(prefix.Ops) > 0 && hasPending(prefix) {
						pending++
					}
				}
				if wrong {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, res, want, historytest.Text(e))
				}
			}
			t.Logf("%v, %d violations with pending operations", counts, pending)
			if counts[check.Violation] < int(n)/10 || counts[check.Linearizable] < int(n)/10 || pending < int(n)/30 {
				t.Errorf("too one-sided a sample: %v, %d with pending operations", counts, pending)
			}
		})
	}
}

func hasPending(e *history.Execution) bool {
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			return true
		}
	}
	return false
}

// TestAgreesWithInferred: under symbolic, the theory written by hand and the one
// inferred from the example give one verdict and one shortest prefix, where both
// know it.
func TestAgreesWithInferred(t *testing.T) {
	for _, s := range examples() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			byHand, inferred := prepared(t, load(t, s.Name)), prepared(t, historytest.Example(t, s.Name))
			counts := map[check.Verdict]int{}
			n := testsize.Samples(2000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 5))
				e := s.Execution(r, 2+r.IntN(9), 1+r.IntN(5), 6)
				a, okA := byHand.check(t, e)
				b, okB := inferred.check(t, e)
				late := a.Prefix > b.Prefix && a.Detail != "" // of running operations more is known by clauses
				if okA != okB || a.Verdict != b.Verdict || a.Prefix != b.Prefix && !late {
					t.Fatalf("seed %d: by hand %+v, inferred %+v\n%s", seed, a, b, historytest.Text(e))
				}
				if okA {
					counts[a.Verdict]++
				}
			}
			t.Log(counts)
			if counts[check.Violation] < int(n)/5 || counts[check.Linearizable] < int(n)/5 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
