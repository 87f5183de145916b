package explain

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// grounded is an Engine, the slow one.
type grounded struct{ theory *ground.Theory }

func (g *grounded) Decide(ctx context.Context, e *history.Execution) (logs.Answer, error) {
	return g.theory.Decide(ctx, e)
}

func (g *grounded) Shortest(ctx context.Context, e *history.Execution) (int, error) {
	r, err := logs.Search(ctx, e, func(n int) (logs.Answer, error) { return g.theory.Decide(ctx, e.Prefix(n)) })
	return r.Violation, err
}

func (g *grounded) Core(ctx context.Context, e *history.Execution) []string {
	names, _ := g.theory.Core(ctx, e)
	return names
}

func start(tb testing.TB, th *theory.Theory) *Explainer {
	tb.Helper()
	g, err := ground.Compile(th, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return New(th, g, &grounded{g}, false)
}

// explained compares explanations by one theory with a data type.
type explained struct {
	historytest.Type
	theory    *theory.Theory
	explainer *Explainer

	violations, derived, before, after int
}

// TestViolation explains random violations by patterns and by axioms, some of them
// from their shortest violating prefix and some from more: what is left is part of
// the execution, a violation of the data type, needs its last event, and is none
// without any of its values or lookups. Its patterns and axioms are enough, and
// the verifier accepts the derivation.
func TestViolation(t *testing.T) {
	n := testsize.Samples(400)
	for _, s := range historytest.Examples() {
		for _, axioms := range []bool{false, true} {
			th, name := historytest.Example(t, s.Name), s.Name+"/patterns"
			if axioms {
				th, name = byHand(t, s.Name), s.Name+"/axioms"
			}
			t.Run(name, func(t *testing.T) {
				x := explained{Type: s, theory: th, explainer: start(t, th)}
				for seed := range n {
					r := rand.New(rand.NewPCG(seed, 97))
					e := s.Execution(r, 4+r.IntN(7), 1+r.IntN(4), 6)
					if at := s.Model.ShortestViolation(e); at > 0 {
						if r.IntN(2) == 0 {
							e = e.Prefix(at)
						}
						x.one(t, seed, e)
					}
				}
				t.Logf("%d violations, %d derived: %d operations before, %d after", x.violations, x.derived, x.before, x.after)
				if x.violations < int(n)/4 || !axioms && x.derived < x.violations*9/10 || x.after >= x.before {
					t.Error("too one-sided a sample")
				}
			})
		}
	}
}

func (x *explained) one(t *testing.T, seed uint64, e *history.Execution) {
	t.Helper()
	got, err := x.explainer.Violation(t.Context(), e)
	if errors.As(err, new(*clauses.LanguageError)) || err != nil && strings.Contains(err.Error(), "does not show") && x.mayLeave(t, e) {
		return
	}
	if err != nil {
		historytest.Fatal(t, e, "seed %d: %v", seed, err)
	}
	sub := got.Execution
	x.violations, x.before, x.after = x.violations+1, x.before+len(e.Ops), x.after+len(sub.Ops)
	fail := func(what string) {
		t.Helper()
		historytest.Fatal(t, e, "seed %d: %s\n%s\nby %q explains", seed, what, historytest.Text(sub), got.Patterns)
	}
	switch {
	case got.Detail != "" || len(got.Patterns) == 0:
		fail("not minimal, or no patterns: " + got.Detail)
	case !within(sub, e):
		fail("not a part of the whole")
	case x.Model.ShortestViolation(sub) != sub.Events:
		fail("no violation, or a prefix would do")
	}
	for i := range sub.Ops {
		o := &sub.Ops[i]
		taken := func(p history.Operation) bool { return slices.Equal(p.Rets, o.Args) }
		if !o.Completed() && o.Method == "add" && !slices.ContainsFunc(sub.Ops, taken) {
			fail("an add that did not return and whose value nobody has")
		}
	}
	for _, less := range smaller(x.Name, sub) {
		if !x.Model.Linearizable(less) {
			fail("this would do\n" + historytest.Text(less) + "\nof")
		}
	}
	x.enough(t, seed, sub, got.Patterns)
	if got.Underived == "" {
		x.derived++
		ev := &evidence.Evidence{Theory: x.theory.Name, Log: evidence.Digest(e), Violation: true, Prefix: e.Events, Steps: got.Steps}
		if err := verify.Check(t.Context(), x.theory, e, ev, nil); err != nil || len(got.Steps) == 0 {
			fail(fmt.Sprintf("a derivation of %d steps that is rejected (%v):", len(got.Steps), err))
		}
	}
	short := *x.explainer
	short.brief = true
	if brief, err := short.Violation(t.Context(), e); err != nil || !slices.Equal(brief.Patterns, got.Patterns) || len(brief.Steps) > briefSteps ||
		!reflect.DeepEqual(brief.Steps, got.Steps) && (brief.Steps != nil || got.pending() <= briefPending && len(got.Steps) <= briefSteps) {
		fail(fmt.Sprintf("a brief explanation (%v) with %d steps, not %d", err, len(brief.Steps), len(got.Steps)))
	}
	for _, step := range got.Steps {
		for _, id := range step.Ops {
			i := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.ID == id })
			if l := got.Labels[id]; i < 0 || l.String() != e.Ops[i].Label.String() {
				fail("the label of " + id + " is wrong")
			}
		}
	}
}

// mayLeave reports whether the execution may leave the language by what has not
// returned, so that the theory does not say that it is a violation.
func (x *explained) mayLeave(t *testing.T, e *history.Execution) bool {
	t.Helper()
	a, err := x.explainer.engine.Decide(t.Context(), e)
	return err == nil && a.Excluded != ""
}

// enough decides what is left by the patterns and axioms named alone.
func (x *explained) enough(t *testing.T, seed uint64, e *history.Execution, names []string) {
	t.Helper()
	g, err := ground.Compile(historytest.Only(x.theory, names), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := g.Decide(t.Context(), e); err != nil || a.Sat {
		historytest.Fatal(t, e, "seed %d: %q are not enough (%v) for", seed, names, err)
	}
}

// within reports whether the operations of sub are operations of e, or of a prefix
// of it, with the same labels and the same order: one that returned later is
// pending in sub.
func within(sub, e *history.Execution) bool {
	at := map[string]int{}
	for i := range e.Ops {
		at[e.Ops[i].ID] = i
	}
	for i := range sub.Ops {
		o, k := &sub.Ops[i], at[sub.Ops[i].ID]
		p := &e.Ops[k]
		if p.ID != o.ID || o.Method != p.Method || !slices.Equal(o.Args, p.Args) || o.Completed() && o.Label.String() != p.Label.String() {
			return false
		}
		for j := range sub.Ops {
			if sub.Before(i, j) != (o.Completed() && e.Before(k, at[sub.Ops[j].ID])) {
				return false
			}
		}
	}
	return true
}

// smaller lists what remains of an execution without the completed operations of
// one value, or without one lookup.
func smaller(name string, e *history.Execution) (all []*history.Execution) {
	without := func(drop func(o *history.Operation) bool) {
		rest := *e
		rest.Ops = slices.DeleteFunc(slices.Clone(e.Ops), func(o history.Operation) bool { return o.Completed() && drop(&o) })
		if len(rest.Ops) < len(e.Ops) {
			all = append(all, &rest)
		}
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		refused := name == "lock" && o.Method == "lock" && o.Outcome == history.Some
		if refused || o.Method == "contains" || o.Method == "read" || o.Outcome == history.Nil && o.Method == "remove" {
			without(func(p *history.Operation) bool { return p.ID == o.ID })
		}
		for _, v := range slices.Concat(o.Args, o.Rets) {
			if name == "lock" && o.Outcome == history.Some && slices.Contains(o.Args, v) {
				continue // a refused key, which is no match
			}
			without(func(p *history.Operation) bool {
				if name == "lock" && p.Outcome == history.Some {
					return p.Rets[0] == v
				}
				return slices.Contains(p.Args, v) || slices.Contains(p.Rets, v)
			})
		}
	}
	return all
}

// sequence is a log of operations one after the other, "call => return" each.
func sequence(tb testing.TB, th *theory.Theory, ops ...string) *history.Execution {
	tb.Helper()
	var lines []string
	for i, op := range ops {
		call, answer, _ := strings.Cut(op, " => ")
		lines = append(lines, fmt.Sprintf("[%d] call %s", i+1, call), fmt.Sprintf("[%d] return %s", i+1, answer))
	}
	return historytest.Log(tb, th, lines...)
}

// TestOpen: a theory that may need any operation is explained by the violation as
// it is; what is no violation is an error.
func TestOpen(t *testing.T) {
	th := byHand(t, "plainset")
	e := sequence(t, th, "add(1) => ", "remove(1) => ", "contains(1) => true")
	x, err := start(t, th).Violation(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(x.Detail, "any operation") || len(x.Execution.Ops) != 3 || !slices.Equal(x.Patterns, []string{"include"}) || x.Underived == "" || x.Steps != nil {
		t.Errorf("%+v", x)
	}
	if x, err := start(t, th).Violation(t.Context(), e.Prefix(4)); err == nil {
		t.Errorf("an explanation of what is no violation: %+v", x)
	}
}

// TestOverlapping: a theory of overlapping operations has explanations, and no
// derivations.
func TestOverlapping(t *testing.T) {
	th := byHand(t, "exchanger")
	x, err := start(t, th).Violation(t.Context(), sequence(t, th, "exchange(1) => -", "exchange(2) => 3", "exchange(3) => 2"))
	if err != nil {
		t.Fatal(err)
	}
	if x.Underived != Overlapping || len(x.Patterns) == 0 || len(x.Execution.Ops) > 2 {
		t.Errorf("%+v", x)
	}
}

// ending is a context that ends after it was asked a number of times.
type ending struct {
	context.Context
	left *int
}

func (c ending) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: whenever the context ends, what is left by then is still a
// violation and part of the whole, and the explanation says that it may not be
// minimal.
func TestInterrupted(t *testing.T) {
	th := historytest.Example(t, "queue")
	var ops []string
	for v := range 10 {
		ops = append(ops, fmt.Sprintf("add(%d) => ", v), fmt.Sprintf("remove => %d", v))
	}
	e := sequence(t, th, append(ops, "add(10) => ", "add(11) => ", "add(12) => ", "remove => 12", "remove => 10")...)
	queue, sizes, explainer := historytest.Queue(), map[int]bool{}, start(t, th)
	for polls := 0; ; polls += 1 + polls/20 {
		left := polls
		x, err := explainer.Violation(ending{t.Context(), &left}, e)
		if err != nil {
			t.Fatal(err)
		}
		if queue.Model.Linearizable(x.Execution) || !within(x.Execution, e) {
			t.Fatalf("after %d polls this is left\n%s", polls, historytest.Text(x.Execution))
		}
		sizes[len(x.Execution.Ops)] = true
		if left >= 0 {
			if x.Detail != "" || x.Underived != "" || len(x.Execution.Ops) != 3 {
				t.Errorf("not interrupted: %+v", x)
			}
			break
		}
		if len(x.Execution.Ops) > 3 && x.Detail != "the check was interrupted" {
			t.Errorf("after %d polls: %+v", polls, x)
		}
	}
	if len(sizes) < 3 {
		t.Errorf("it was always interrupted when as many operations were left: %v", sizes)
	}
}

// TestFormulas: what may be left out under axioms of forms that the theories do
// not have.
func TestFormulas(t *testing.T) {
	for src, want := range map[string]removals{
		"forall x:Op. method(x) = add <-> (exists y:Op. match(y) = x)":                           {true, false, false},
		"forall x:Op. !(method(x) = add & !(exists y:Op. match(x) = y))":                         {true, true, true},
		"exists x:Op. method(x) = add":                                                           {},
		"forall x:Op. exists y:Op. match(y) = match(x) & before(x, y) & method(y) = add":         {true, true, false},
		"forall x:Op. exists y:Op. match(y) = match(x) & before(x, y)":                           {true, false, false},
		"forall x:Op. exists y:Op. match(y) = match(x) & !readonly(y)":                           {true, true, false},
		"forall x:Op. !(forall y:Op. match(x) = y -> before(x, y))":                              {true, true, true},
		"forall x:Op. exists y:Op. match(x) = y & method(x) = add | match(x) = y & before(y, x)": {true, true, true},
	} {
		th := byHand(t, "queue")
		f, err := formula.Parse(src, th.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		th.Spec.Axioms = []theory.Rule{{Name: "one", Formula: f}}
		if got := removalsOf(th); got != want {
			t.Errorf("%s: got %+v, want %+v", src, got, want)
		}
	}
}
