package theory_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestPartsOfSequences: a sequence is admitted if and only if its parts are, and the
// sums are right.
func TestPartsOfSequences(t *testing.T) {
	said := map[bool]int{}
	for seed := range testsize.Samples(20_000) {
		r := rand.New(rand.NewPCG(seed, 13))
		typ, part := historytest.RandomProduct(r, theory.ByKey, theory.InAll, theory.SumOfAll)
		e := typ.Execution(r, 1+r.IntN(12), 1, []int{0, 6}[r.IntN(2)])
		var labels []history.Label
		for _, o := range e.Ops {
			if o.Completed() {
				labels = append(labels, o.Label)
			}
		}
		e = history.Sequential(labels...)
		want := typ.Model.AdmitsAll(labels)
		if got := admitted(typ.Theory.Spec.Product, part, e); got != want {
			t.Fatalf("seed %d: %v: parts say %t, the whole %t", seed, e, got, want)
		}
		said[want]++
	}
	if said[true] == 0 || said[false] == 0 {
		t.Error(said)
	}
}

// admitted reports whether a sequence is, part by part.
func admitted(p *theory.Product, model historytest.Model, e *history.Execution) bool {
	parts := p.Parts(e)
	for _, part := range parts {
		var labels []history.Label
		for _, o := range part.Execution.Ops {
			labels = append(labels, o.Label)
		}
		if !model.AdmitsAll(labels) {
			return false
		}
	}
	for _, o := range e.Ops {
		if p.Of(o.Method).Role != theory.SumOfAll {
			continue
		}
		sum := 0
		for _, part := range parts {
			state := ""
			for i := range part.Execution.Ops {
				if q := &part.Execution.Ops[i]; q.Call < o.Call {
					state = model(state, &q.Label)[0].Next
				}
			}
			sum += number(model(state, &o.Label)[0].Rets[0])
		}
		if o.Rets[0] != history.Value(strconv.Itoa(sum)) {
			return false
		}
	}
	return true
}

func number(v history.Value) int { n, _ := strconv.Atoi(string(v)); return n }

// TestPartsOfExecutions: with keys alone an execution is linearizable if and only if
// its parts are; with other roles a violation in a part is one of the whole. So are
// the shortest violating prefixes.
func TestPartsOfExecutions(t *testing.T) {
	said := map[string]int{}
	for seed := range testsize.Samples(10_000) {
		r := rand.New(rand.NewPCG(seed, 14))
		roles := []theory.KeyRole{theory.ByKey, theory.InAll, theory.SumOfAll}
		roles = roles[:1+r.IntN(3)]
		typ, model := historytest.RandomProduct(r, roles...)
		typ.Lost = []int{0, 8}[r.IntN(2)]
		e := typ.Execution(r, 1+r.IntN(10), 1+r.IntN(4), []int{0, 6}[r.IntN(2)])
		whole, first := typ.Model.ShortestViolation(e), 0
		for _, part := range typ.Theory.Spec.Product.Parts(e) {
			if n := model.ShortestViolation(part.Execution); n > 0 && (first == 0 || n < first) {
				first = n
			}
		}
		if len(roles) == 1 && first != whole || first > 0 && (whole == 0 || first < whole) {
			t.Fatalf("seed %d: the whole is wrong after %d events, its parts after %d:\n%s", seed, whole, first, historytest.Text(e))
		}
		said[fmt.Sprint(len(roles), whole > 0, first > 0)]++
	}
	for n := 1; n <= 3; n++ {
		for _, verdict := range []bool{true, false} {
			if said[fmt.Sprint(n, verdict, verdict)] == 0 {
				t.Error(said)
			}
		}
	}
	if said["2 true false"]+said["3 true false"] == 0 {
		t.Error("passing parts of roles all and sum always proved the whole")
	}
}
