package check_test

import (
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestProducts: products of random machines, of which some methods are in all parts or
// are sums, are decided as trying everything decides them; so are sequences.
func TestProducts(t *testing.T) {
	all := []theory.KeyRole{theory.ByKey, theory.InAll, theory.SumOfAll}
	violations, n := 0, testsize.Samples(10_000)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 16))
		typ, _ := historytest.RandomProduct(r, all[:1+r.IntN(3)]...)
		typ.Lost = []int{0, 6}[seed%2]
		c, err := check.New(typ.Theory, check.Options{Engine: []string{"", "wgl"}[r.IntN(2)]})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := typ.Execution(r, 2+r.IntN(8), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
		want := typ.Model.ShortestViolation(e)
		got, err := c.Check(t.Context(), e)
		if err != nil || got.Prefix != want || (got.Verdict == check.Violation) != (want > 0) {
			historytest.Fatal(t, e, "seed %d: %+v, %v; want %d", seed, got, err, want)
		}
		if want > 0 {
			violations++
		}
		var labels []history.Label
		for _, o := range e.Ops {
			if o.Completed() {
				labels = append(labels, o.Label)
			}
		}
		admitted, inside, err := typ.Theory.Sequences().Admits(t.Context(), labels)
		if right := typ.Model.AdmitsAll(labels); err != nil || !inside || admitted != right {
			t.Fatalf("seed %d: %v: %t, %t, %v; want %t", seed, labels, admitted, inside, err, right)
		}
	}
	mixed(t, violations, n)
}

// TestProductsExplained: operations of an explanation have the arguments and answers that they have in the
// log, also where an answer is the key, or the word that stands for it in parts.
func TestProductsExplained(t *testing.T) {
	explained, keyed := 0, 0
	for seed := range testsize.Samples(2_000) {
		r := rand.New(rand.NewPCG(seed, 27))
		typ, _ := historytest.RandomProduct(r, theory.ByKey)
		c, err := check.New(typ.Theory, check.Options{Engine: []string{"", "wgl"}[r.IntN(2)]})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := typ.Execution(r, 2+r.IntN(8), 1+r.IntN(4), 4)
		in := map[string]history.Label{}
		for i := range e.Ops {
			if o := &e.Ops[i]; len(o.Rets) > 0 && r.IntN(4) == 0 {
				o.Rets = []history.Value{[]history.Value{"key", o.Args[1]}[r.IntN(2)]}
			}
			in[e.Ops[i].ID] = e.Ops[i].Label
		}
		got, err := c.Check(t.Context(), e)
		if err != nil || got.Verdict != check.Violation {
			continue
		}
		x, err := c.Explain(t.Context(), e, got)
		if err != nil {
			historytest.Fatal(t, e, "seed %d: %v", seed, err)
		}
		explained++
		for _, o := range append(x.Execution.Ops, x.Order...) {
			want := in[o.ID]
			if o.Completed() && o.Label.String() != want.String() && want.Outcome != history.Pending {
				historytest.Fatal(t, e, "seed %d: [%s] is %s in the explanation", seed, o.ID, o.Label)
			}
			if len(o.Rets) > 0 && (o.Rets[0] == "key" || o.Rets[0] == o.Args[1]) {
				keyed++
			}
		}
	}
	if explained < 50 || keyed < 20 {
		t.Errorf("%d explained, of them %d operations with a key in their answer", explained, keyed)
	}
}
