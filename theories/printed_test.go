package theories_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func printed(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	return historytest.Theory(tb, "theories/testdata/printed/"+name+".theory.yaml")
}

// repair replaces the formulas of axioms, or drops those without a formula.
func repair(tb testing.TB, t *theory.Theory, repairs map[string]string) {
	tb.Helper()
	var kept []theory.Rule
	for _, r := range t.Spec.Axioms {
		text, change := repairs[r.Name]
		if delete(repairs, r.Name); change && text == "" {
			continue
		}
		if change {
			var err error
			if r.Formula, err = formula.Parse(text, t.Vocabulary()); err != nil {
				tb.Fatal(err)
			}
		}
		kept = append(kept, r)
	}
	if t.Spec.Axioms = kept; len(repairs) > 0 {
		tb.Fatalf("no axioms to repair: %v", repairs)
	}
}

// matchable reports whether some matching satisfies the axioms: membership in the
// kernel as "Monitoring refinement" §3 defines it. The axiom that begins with
// MATCH and has no other quantifiers says which pairs may match; it is used to
// try fewer matchings.
func (ev *evaluator) matchable(labels []history.Label, match string) bool {
	return ev.matchableIn(labels, match, func(s *sequence) formula.Structure { return s })
}

// matchableIn is matchable in an order that is not that of the labels.
func (ev *evaluator) matchableIn(labels []history.Label, match string, in func(*sequence) formula.Structure) bool {
	s := &sequence{labels: labels, match: make([]int, len(labels)), readOnly: make([]bool, len(labels))}
	for i := range s.match {
		s.match[i] = history.Unmatched
	}
	candidates := make([][]int, len(labels))
	for i := range labels {
		candidates[i] = []int{history.Unmatched}
		for j := range labels {
			s.match[i] = j
			if ev.axioms[match](in(s), nil) {
				candidates[i] = append(candidates[i], j)
			}
		}
		s.match[i] = history.Unmatched
	}
	var choose func(i int) bool
	choose = func(i int) bool {
		if i == len(labels) {
			return holds(in(s), ev.axioms)
		}
		for _, j := range candidates[i] {
			if s.match[i] = j; choose(i + 1) {
				return true
			}
		}
		return false
	}
	return choose(0)
}

// blind is a model of operations without tickets: acquire waits, release needs
// something to give back.
func blind(n int, take, give string) historytest.Model {
	return func(s string, l *history.Label) []historytest.Way {
		switch {
		case l.Method == take && len(s) < n:
			return []historytest.Way{{Outcome: history.None, Next: s + "x"}}
		case l.Method == give && len(s) > 0:
			return []historytest.Way{{Outcome: history.None, Next: s[1:]}}
		}
		return nil
	}
}

const (
	fewContainerLabels = "add(1) add(2) remove=>1 remove=>2 remove=>nil"
	fewRegisterLabels  = "write(1) write(2) read=>1 read=>2 read=>nil"
)

// effective says that a changes the set, kept that it still has its value when r
// is called.
const (
	kept      = "!(exists q:Op. method(q) = remove & arg(q) = arg(a) & before(a, q) & before(q, r))"
	effective = "!(exists p:Op. method(p) = add & arg(p) = arg(a) & before(p, a) & " +
		"!(exists q:Op. method(q) = remove & arg(q) = arg(p) & before(p, q) & before(q, a)))"
)

// TestPrinted compares the formulas as printed, and with repairs, with models on
// all sequences of operations, values used any number of times.
func TestPrinted(t *testing.T) {
	testsize.NeedsLong(t)
	queue, stack, register, plainSet := historytest.Queue().Model, historytest.Stack().Model, historytest.Register().Model, historytest.PlainSet().Model
	for _, c := range []struct {
		name, theory string
		repairs      map[string]string
		model        historytest.Model
		match        string
		alphabet     string
		length       int
		want         counts
	}{
		{name: "queue", theory: "queue", model: queue, match: "MATCH1", alphabet: fewContainerLabels, length: 6, want: counts{19531, 1093, 0, 0}},
		{name: "stack", theory: "stack", model: stack, match: "MATCH1", alphabet: fewContainerLabels, length: 6, want: counts{19531, 1093, 0, 0}},
		{name: "priority queue", theory: "priorityqueue", model: historytest.PriorityQueue().Model, match: "MATCH1", alphabet: fewContainerLabels, length: 6, want: counts{19531, 1093, 0, 0}},
		{name: "ATOMIC", theory: "atomic", model: queue, match: "MATCH1", alphabet: fewContainerLabels, length: 4, want: counts{781, 1, 0, 120}},
		{name: "ATOMIC repaired", theory: "atomic", model: queue, match: "MATCH1", alphabet: fewContainerLabels, length: 4, want: counts{781, 121, 0, 0},
			repairs: map[string]string{"ATOMIC": "forall x1:Op, x2:Op. x1 != x2 -> !(before(x1, x2) <-> before(x2, x1))"}},
		{name: "register", theory: "register", model: register, match: "MATCH1", alphabet: fewRegisterLabels, length: 4, want: counts{781, 69, 0, 52}},
		{name: "register, READWRITE repaired", theory: "register", model: register, match: "MATCH1", alphabet: fewRegisterLabels, length: 4, want: counts{781, 107, 0, 14},
			repairs: map[string]string{"READWRITE": "forall r:Op. method(r) = read & outcome(r) = value -> exists w:Op. match(r) = w & before(w, r)"}},
		{name: "register repaired", theory: "register", model: register, match: "MATCH1", alphabet: fewRegisterLabels, length: 4, want: counts{781, 121, 0, 0},
			repairs: map[string]string{"INJECTIVE": "", "READWRITE": "forall r:Op. method(r) = read & outcome(r) = value -> exists w:Op. match(r) = w & before(w, r)"}},
		{name: "set", theory: "set", model: plainSet, match: "MATCH2", alphabet: plainSetLabels, length: 4, want: counts{4681, 1185, 0, 370}},
		{name: "set, of immediate predecessors", theory: "set", model: plainSet, match: "MATCH2", alphabet: plainSetLabels, length: 4, want: counts{4681, 1553, 42, 2},
			repairs: map[string]string{
				"MATCHINGADD": `forall a:Op, x:Op, p:Op. match(x) = a & arg(p) = arg(a) & before(p, a)
					& (forall q:Op. arg(q) = arg(a) -> !(before(p, q) & before(q, a)))
					-> method(p) = remove | method(p) = contains & outcome(p) = "false"`,
				"MATCHINGREM": `forall a:Op, r:Op, p:Op. match(r) = a & method(r) = remove & arg(p) = arg(r) & before(p, r)
					& (forall q:Op. arg(q) = arg(r) -> !(before(p, q) & before(q, r)))
					-> method(p) = add | method(p) = contains & outcome(p) = "true"`}},
		{name: "set repaired", theory: "set", model: plainSet, match: "MATCH2", alphabet: plainSetLabels, length: 4, want: counts{4681, 1555, 0, 0},
			repairs: map[string]string{
				"EXCLUDE": `forall c:Op, a:Op. method(c) = contains & outcome(c) = "false" & method(a) = add & arg(c) = arg(a) & before(a, c)
					& ` + effective + ` -> exists r:Op. method(r) = remove & match(r) = a & before(r, c)`,
				"MATCHINGADD": "forall a:Op, x:Op. match(x) = a -> " + effective,
				"MATCHINGREM": "forall a:Op, r:Op. method(a) = add & method(r) = remove & arg(a) = arg(r) & before(a, r) & " + effective +
					" & " + kept + " -> match(r) = a"}},
		{name: "lock", theory: "lock", model: blind(1, "lock", "unlock"), match: "MATCH3", alphabet: "lock unlock", length: 7, want: counts{255, 8, 0, 0}},
		{name: "lock, longer", theory: "lock", model: blind(1, "lock", "unlock"), match: "MATCH3", alphabet: "lock unlock", length: 9, want: counts{1023, 10, 0, 0}},
		{name: "semaphore", theory: "semaphore", model: blind(2, "acquire", "release"), match: "MATCH3", alphabet: "acquire release", length: 7, want: counts{255, 3, 0, 27}},
		{name: "semaphore, arguments of match swapped", theory: "semaphore", model: blind(2, "acquire", "release"), match: "MATCH3", alphabet: "acquire release", length: 7, want: counts{255, 8, 0, 22},
			repairs: map[string]string{"LIMIT": `forall x0:Op, x1:Op, x2:Op.
				before(x0, x2) & before(x1, x2) & method(x0) = acquire & method(x1) = acquire & method(x2) = acquire
				-> exists r:Op. before(r, x2) & (match(r) = x0 | match(r) = x1 | match(r) = x2)`}},
		{name: "semaphore repaired", theory: "semaphore", model: blind(2, "acquire", "release"), match: "MATCH3", alphabet: "acquire release", length: 7, want: counts{255, 30, 0, 0},
			repairs: map[string]string{"LIMIT": `forall x0:Op, x1:Op, x2:Op. x0 != x1 & x0 != x2 & x1 != x2 &
				before(x0, x2) & before(x1, x2) & method(x0) = acquire & method(x1) = acquire & method(x2) = acquire
				-> exists r:Op. before(r, x2) & (match(r) = x0 | match(r) = x1 | match(r) = x2)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.length > 7 {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			th := printed(t, c.theory)
			repair(t, th, c.repairs)
			ev, got := evaluate(th), counts{}
			var first [2]string // histories that the theory alone, the model alone admits
			each(labels(c.alphabet), c.length, func(ls []history.Label) bool {
				theory, model := ev.matchable(ls, c.match), c.model.AdmitsAll(ls)
				if k := map[bool]int{theory: 0, model: 1}[true]; theory != model && first[k] == "" {
					first[k] = history.Sequential(ls...).String()
				}
				got.add(theory, model)
				return true
			})
			t.Logf("to length %d: %v; such as %q", c.length, got, first)
			if got != c.want {
				t.Errorf("got %#v", got)
			}
		})
	}
}
