package judge

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/theory"
)

// randomLabels is a random sequence over the methods of a theory.
func randomLabels(t *theory.Theory, rng *rand.Rand, n, values int) []history.Label {
	value := func() history.Value { return history.Value(strconv.Itoa(1 + rng.IntN(values))) }
	labels := make([]history.Label, n)
	for i := range labels {
		m := t.Spec.Methods[rng.IntN(len(t.Spec.Methods))]
		o := m.Outcomes[rng.IntN(len(m.Outcomes))]
		l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}}
		for range m.Args {
			l.Args = append(l.Args, value())
		}
		for range o.Rets {
			l.Rets = append(l.Rets, value())
		}
		labels[i] = l
	}
	return labels
}

// TestOracle compares the oracle with the formulas of the theory, evaluated one by
// one, for theories that are clauses and for one that is not.
func TestOracle(t *testing.T) {
	count := 300
	if testsize.Nightly() {
		count = 100_000
	}
	for name, th := range theories(t) {
		o, err := newOracle(th)
		if err != nil {
			t.Fatal(err)
		}
		says := th.Sequences()
		rng := rand.New(rand.NewPCG(7, 7))
		seen := map[verdict]int{}
		var before []history.Label
		for range count {
			labels := randomLabels(th, rng, rng.IntN(7), 4)
			if rng.IntN(3) > 0 { // as the last one, at first
				n := rng.IntN(len(before) + 1)
				labels = slices.Concat(before[:n], labels[:min(len(labels), 7-n)])
			}
			before = labels
			want := outside
			switch in, inside, err := says.Admits(t.Context(), labels); {
			case err != nil:
				t.Fatal(err)
			case in:
				want = admitted
			case inside:
				want = violation
			}
			got, by, err := o.says(context.Background(), labels)
			if err != nil {
				t.Fatal(err)
			}
			if seen[got]++; got != want {
				t.Fatalf("%s: %s: got %v %v, want %v", name, Draw(labels), got, by, want)
			}
			inside := len(o.breaches(labels)) == 0
			if inside != (want != outside) {
				t.Fatalf("%s: %s: breaches %v, want verdict %v", name, Draw(labels), o.breaches(labels), want)
			}
		}
		if seen[admitted] == 0 || seen[violation] == 0 || seen[outside] == 0 && o.whole == nil {
			t.Errorf("%s: %v", name, seen)
		}
	}
}

// theories are the examples', and one of a map of values to values.
func theories(t *testing.T) map[string]*theory.Theory {
	all := map[string]*theory.Theory{}
	for _, spec := range examples {
		all[spec.Name] = example(t, spec.Name)
	}
	impl := implementation(t, storeSpec)
	store, err := patterns.Infer(context.Background(), impl, storeSpec.Info(), patterns.Options{Checks: quick})
	if err != nil {
		t.Fatal(err)
	}
	all["store"] = store
	return all
}

// example is the theory file of an example.
func example(t *testing.T, name string) *theory.Theory {
	t.Helper()
	return historytest.Example(t, name)
}
