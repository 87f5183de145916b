package theories_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// orderedAxioms are what a container with an order on its values might want.
var orderedAxioms = []string{
	"forall r:Op. method(r) = remove & outcome(r) = value -> exists a:Op. match(r) = a & before(a, r)",
	"forall p:Op. method(p) = peek & outcome(p) = value -> exists a:Op. match(p) = a & before(a, p)",
	"forall r1:Op, r2:Op. method(r1) = remove & method(r2) = remove & match(r1) = match(r2) -> r1 = r2",
	"forall e:Op, a:Op. outcome(e) = nil & method(a) = add & before(a, e) -> exists r:Op. method(r) = remove & outcome(r) = value & match(r) = a & before(r, e)",
	"forall p:Op, r:Op. method(p) = peek & method(r) = remove & match(p) = match(r) -> before(p, r)",
	"forall a1:Op, a2:Op, r1:Op. method(a2) = add & method(r1) = remove & match(r1) = a1 & arg(a1) < arg(a2) & before(a2, r1) -> exists r2:Op. method(r2) = remove & outcome(r2) = value & match(r2) = a2 & before(r2, r1)",
	"forall a1:Op, a2:Op, p:Op. method(a2) = add & method(p) = peek & match(p) = a1 & arg(a1) < arg(a2) & before(a2, p) -> exists r2:Op. method(r2) = remove & outcome(r2) = value & match(r2) = a2 & before(r2, p)",
	"forall a1:Op, a2:Op. method(a1) = add & method(a2) = add & arg(a1) < arg(a2) & before(a2, a1) -> exists r2:Op. method(r2) = remove & outcome(r2) = value & match(r2) = a2",
	"forall r1:Op, r2:Op. method(r1) = remove & method(r2) = remove & ret(r1) < ret(r2) -> before(r2, r1)",
	"forall a1:Op, a2:Op, r1:Op. method(a1) = add & method(r1) = remove & match(r1) = a2 & before(a1, a2) -> arg(a2) < arg(a1) | exists r2:Op. method(r2) = remove & outcome(r2) = value & match(r2) = a1 & before(r2, r1)",
	"forall p:Op, q:Op. method(p) = peek & method(q) = peek & before(p, q) -> !(ret(q) < ret(p))",
}

// way is how propagation runs.
type way struct{ keep, probe bool }

// TestOrderedClauses compares clauses made of axioms that compare values with the
// axioms, as enumeration decides them: symbolic must agree, and saturate must
// not call an admitted execution a violation.
func TestOrderedClauses(t *testing.T) {
	base := load(t, "priorityqueue")
	base.Spec.Axioms = nil
	base.Spec.Methods = append(base.Spec.Methods, history.MethodSig{Name: "peek", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}})
	parse := func(src string) formula.Formula {
		f, err := formula.Parse(src, base.Vocabulary(), "x")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	base.Spec.Matching.ReadOnly = parse("outcome(x) = nil | method(x) = peek")
	base.Spec.Language[0].Formula = parseClosed(t, base, "forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y")
	n := testsize.Samples(800)
	verdicts, clausal, propagated, missed := map[check.Verdict]int{}, 0, 0, 0
	var th *theory.Theory
	var rules *clauses.Rules
	var satisfiable, enumerate checktest.Engine
	var saturate map[way]checktest.Engine
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 73))
		if seed%40 == 0 {
			th = someAxioms(t, r, base)
			satisfiable, enumerate = ready(t, checktest.By{Engine: "symbolic"}, th), ready(t, checktest.Oracle{}, th)
			if rules, _ = clauses.Compile(th); rules != nil {
				saturate = map[way]checktest.Engine{}
				for _, w := range []way{{}, {keep: true}, {probe: true}, {keep: true, probe: true}} {
					saturate[w] = ready(t, checktest.By{Engine: "saturate", KeepMatches: w.keep, Probe: w.probe}, th)
				}
			}
		}
		s, rename := priorityQueue(r, 6)
		s.Methods = historytest.PriorityQueue().Methods
		e := s.Execution(r, 2+r.IntN(4), 1+r.IntN(3), 4)
		rename(e)
		want, err := enumerate.Check(t.Context(), th, e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := satisfiable.Check(t.Context(), th, e)
		if err != nil || got.Verdict != want.Verdict || got.Prefix != want.Prefix {
			t.Fatalf("seed %d: symbolic says %+v (%v), enumerate %+v\n%s\n%s", seed, got, err, want, axiomsOf(th), historytest.Text(e))
		}
		verdicts[want.Verdict]++
		if rules == nil {
			continue
		}
		if slices.ContainsFunc(rules.Clauses, func(c clauses.Clause) bool { return c.Compares() }) {
			clausal++
		}
		if got := byDerived(t, rules, e); got != want.Verdict {
			t.Fatalf("seed %d: with clauses that follow from others symbolic says %s, enumerate %+v\n%s\n%s", seed, got, want, axiomsOf(th), historytest.Text(e))
		}
		for _, removal := range []bool{false, true} {
			res, err := saturate[way{keep: !removal, probe: seed%2 == 0}].Check(t.Context(), th, e)
			if err != nil || res.Verdict == check.Violation && (want.Verdict != check.Violation || res.Prefix < want.Prefix) {
				t.Fatalf("seed %d: saturate says %+v (%v), enumerate %+v\n%s\n%s", seed, res, err, want, axiomsOf(th), historytest.Text(e))
			}
			if propagated++; want.Verdict == check.Violation && res.Verdict != check.Violation {
				missed++
			}
		}
	}
	t.Logf("%v; %d by clauses that compare values; %d propagated, %d violations missed", verdicts, clausal, propagated, missed)
	if min(verdicts[check.Violation], verdicts[check.Linearizable], clausal) < int(n)/8 || missed > propagated/100 {
		t.Errorf("too one-sided a sample: %v, %d by clauses; or %d missed", verdicts, clausal, missed)
	}
}

// someAxioms is a theory with some of the axioms.
func someAxioms(t *testing.T, r *rand.Rand, base *theory.Theory) *theory.Theory {
	th := *base
	for i, src := range orderedAxioms {
		if i < 5 && r.IntN(20) > 0 || i >= 5 && r.IntN(3) == 0 {
			th.Spec.Axioms = append(th.Spec.Axioms, theory.Rule{Name: "axiom-" + string(rune('a'+i)), Formula: parseClosed(t, base, src)})
		}
	}
	return &th
}

// byDerived is the verdict of symbolic with all clauses, as on long executions.
func byDerived(t *testing.T, rules *clauses.Rules, e *history.Execution) check.Verdict {
	t.Helper()
	log, err := symbolic.New(t.Context(), symbolic.Compile(rules), e, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	switch a, err := log.Decide(t.Context(), e.Events); {
	case err != nil:
		t.Fatal(err)
	case a == symbolic.Violation:
		return check.Violation
	}
	return check.Linearizable
}

func ready(t *testing.T, engine checktest.Engine, th *theory.Theory) checktest.Engine {
	t.Helper()
	return checktest.Prepare(t, engine, th)
}

func parseClosed(t *testing.T, th *theory.Theory, src string) formula.Formula {
	t.Helper()
	f, err := formula.Parse(src, th.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func axiomsOf(t *theory.Theory) string {
	var lines []string
	for _, a := range t.Spec.Axioms {
		lines = append(lines, a.Name+": "+formula.String(a.Formula))
	}
	return strings.Join(lines, "\n")
}
