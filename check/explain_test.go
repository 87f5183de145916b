package check_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/checktest"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// byHand is the theory of package theories with the vocabulary of a subject.
func byHand(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	t, err := theories.Load(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// TestExplain: an explanation is part of the violating prefix, a violation of
// the model, minimal, and no more than it claims.
func TestExplain(t *testing.T) {
	n := testsize.Samples(400)
	for _, s := range subjects {
		for _, th := range []*theory.Theory{build(t, s.source), byHand(t, s.name)} {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				x := explainTest{s: s, t: th, engine: ready(t, by{Engine: "symbolic"}, th)}
				for seed := range n {
					r := rand.New(rand.NewPCG(seed, 29))
					x.one(t, s.Execution(r, 4+r.IntN(9), 1+r.IntN(5), 6))
				}
				t.Logf("%d violations: %d operations before, %d after, at most %d", x.violations, x.before, x.after, x.longest)
				if x.violations < int(n)/5 {
					t.Errorf("too few violations: %d", x.violations)
				}
			})
		}
	}
}

type explainTest struct {
	s                                  subject
	t                                  *theory.Theory
	engine                             checktest.Ready
	violations, before, after, longest int
}

func (x *explainTest) one(t *testing.T, e *history.Execution) {
	t.Helper()
	r, err := x.engine.Check(t.Context(), x.t, e)
	var outside *check.OutsideLanguage
	if errors.As(err, &outside) || err == nil && r.Verdict != check.Violation {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.engine.Explain(t.Context(), e, r)
	if err != nil {
		t.Fatalf("%v\n%s", err, historytest.Text(e))
	}
	sub := got.Execution
	x.violations, x.before, x.after = x.violations+1, x.before+len(e.Prefix(r.Prefix).Ops), x.after+len(sub.Ops)
	x.longest = max(x.longest, len(sub.Ops))
	fail := func(what string) {
		t.Helper()
		t.Fatalf("%s\n%s\nexplained by %v\n%s", what, historytest.Text(e), got.Reasons, historytest.Text(sub))
	}
	if !got.Minimal || got.Detail != "" || got.Prefix != r.Prefix || len(got.Reasons) == 0 {
		t.Fatalf("%+v", got)
	}
	if !within(sub, e.Prefix(r.Prefix)) {
		fail("the explanation is no part of the prefix")
	}
	if x.s.Model.Linearizable(sub) {
		fail("the model admits the explanation")
	}
	if n := x.s.Model.ShortestViolation(sub); n != sub.Events {
		fail("a prefix of the explanation would do")
	}
	for i := range sub.Ops {
		o := &sub.Ops[i]
		returned := func(p history.Operation) bool { return slices.Equal(p.Rets, o.Args) }
		if !o.Completed() && o.Method == "add" && !slices.ContainsFunc(sub.Ops, returned) {
			fail("an add that did not return and whose value nobody has")
		}
	}
	for _, smaller := range smaller(x.s, sub) {
		if !x.s.Model.Linearizable(smaller) {
			fail("this would do:\n" + historytest.Text(smaller) + "\n")
		}
	}
}

// within reports whether the operations of sub are operations of e with the same
// labels and the same order.
func within(sub, e *history.Execution) bool {
	at := map[string]int{}
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
	}
	for i := range sub.Ops {
		o, k := &sub.Ops[i], at[sub.Ops[i].ID]
		if p := &e.Ops[k]; p.ID != o.ID || o.Label.String() != p.Label.String() || o.Completed() != p.Completed() {
			return false
		}
		for j := range sub.Ops {
			if sub.Before(i, j) != e.Before(k, at[sub.Ops[j].ID]) {
				return false
			}
		}
	}
	return true
}

// smaller lists what remains of an execution of completed and pending
// operations without one value (for the container types and registers), or one
// read-only operation.
func smaller(s subject, e *history.Execution) (all []*history.Execution) {
	without := func(drop func(o *history.Operation) bool) {
		rest := *e
		rest.Ops = slices.DeleteFunc(slices.Clone(e.Ops), func(o history.Operation) bool { return o.Completed() && drop(&o) })
		if len(rest.Ops) < len(e.Ops) {
			all = append(all, &rest)
		}
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		if s.name == "lock" && o.Method == "lock" && o.Outcome == history.Some || o.Method == "contains" || o.Method == "read" || o.Outcome == history.Nil && o.Method == "remove" {
			without(func(p *history.Operation) bool { return p.ID == o.ID })
		}
		for _, v := range slices.Concat(o.Args, o.Rets) {
			if s.name == "lock" && o.Outcome == history.Some && slices.Contains(o.Args, v) {
				continue // a refused key, which is no match
			}
			without(func(p *history.Operation) bool {
				if s.name == "lock" && p.Outcome == history.Some {
					return p.Rets[0] == v
				}
				return slices.Contains(p.Args, v) || slices.Contains(p.Rets, v)
			})
		}
	}
	return all
}

// TestExplainOpen: a theory that may need any operation is explained by the
// violating prefix as it is.
func TestExplainOpen(t *testing.T) {
	label := func(method string, out history.Outcome) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: []history.Value{"1"}}
	}
	e := history.Sequential(label("add", history.None), label("remove", history.None), label("contains", history.True), label("add", history.None))
	th := byHand(t, "plainset")
	r, err := by{Engine: "symbolic"}.Check(t.Context(), th, e)
	if err != nil {
		t.Fatal(err)
	}
	x, err := explain(t.Context(), th, e, r)
	if err != nil {
		t.Fatal(err)
	}
	if x.Minimal || x.Detail == "" || x.Prefix != 6 || len(x.Execution.Ops) != 3 || len(x.Reasons) != 1 || !x.Reasons[0].Axiom {
		t.Errorf("%+v", x)
	}
	if _, err := explain(t.Context(), th, e, check.Result{Verdict: check.Linearizable}); err == nil {
		t.Error("no error for an execution that is no violation")
	}
	if _, err := explain(t.Context(), th, e, check.Result{Verdict: check.Violation, Prefix: 4}); err == nil {
		t.Error("no error for a prefix that is no violation")
	}
}

// TestExplainPart: a part is a violation by itself, although of another one it is
// not known what its pending operation may do.
func TestExplainPart(t *testing.T) {
	th := historytest.Example(t, "set")
	e := historytest.Log(t, th, "[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)",
		"[4] call insert(2)", "[4] return -", "[5] call remove(2)", "[5] return 2", "[6] call remove(2)", "[6] return 2")
	for _, engine := range []checking{by{}, by{Whole: true}} {
		r, err := engine.Check(t.Context(), th, e)
		if err != nil || r.Verdict != check.Violation {
			t.Fatalf("%+v, %v", r, err)
		}
		x, err := explain(t.Context(), th, e, r)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for i := range x.Execution.Ops {
			ids = append(ids, x.Execution.Ops[i].ID)
		}
		if !slices.Equal(ids, []string{"4", "5", "6"}) || !x.Minimal || len(x.Reasons) != 1 || x.Reasons[0].Name != "remove-twice" {
			t.Errorf("%v, minimal: %v, %v", ids, x.Minimal, x.Reasons)
		}
	}
}
