package clauses_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// TestHistories: axioms exclude the very patterns that inference finds; and
// patterns themselves.
func TestHistories(t *testing.T) {
	keys := func(ps []theory.Pattern) (all []string) {
		for i := range ps {
			all = append(all, ps[i].History.Key())
		}
		slices.Sort(all)
		return all
	}
	of := func(th *theory.Theory) []theory.Pattern {
		r, err := clauses.OfPatterns(th)
		if err != nil {
			t.Fatal(err)
		}
		ps, ok := r.Histories()
		if !ok {
			t.Fatalf("%s compares values", th.Name)
		}
		return ps
	}
	for _, name := range []string{"queue", "stack", "lock", "register", "set", "worksteal"} {
		inferred := historytest.Example(t, name)
		if diff := cmp.Diff(keys(inferred.Spec.Patterns), keys(of(inferred))); diff != "" {
			t.Errorf("%s: -patterns +histories\n%s", name, diff)
		}
	}
	for _, name := range []string{"queue", "stack", "lock"} {
		byHand, err := theories.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(keys(historytest.Example(t, name).Spec.Patterns), keys(of(byHand))); diff != "" {
			t.Errorf("%s by hand: -patterns +histories\n%s", name, diff)
		}
	}
	pq, err := theories.Load("priorityqueue")
	if err != nil {
		t.Fatal(err)
	}
	r, err := clauses.OfPatterns(pq)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Histories(); ok {
		t.Error("the patterns of a priority queue know no order of values")
	}
}
