package check_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    source
		lines []string
		want  check.Result
	}{
		{
			"nothing", queue, nil,
			check.Result{Verdict: check.Linearizable},
		},
		{
			"a pending add that was seen", queue,
			[]string{"[1] call add(1)", "[2] call remove", "[2] return 1"},
			check.Result{Verdict: check.Linearizable},
		},
		{
			"removed before it was added", queue,
			[]string{"[2] call remove", "[2] return 1", "[1] call add(1)", "[1] return"},
			check.Result{Verdict: check.Violation, Prefix: 2, Patterns: []string{"[1:X] remove => v1"}},
		},
		{
			"out of order, aliases", queue,
			[]string{"[1] call enqueue(a)", "[1] return", "[2] call enqueue(b)", "[2] return", "[3] call dequeue", "[3] return b", "[4] call dequeue", "[4] return a"},
			check.Result{Verdict: check.Violation, Prefix: 6, Patterns: []string{"[1:1] add(v1); [2:2] add(v2); [3:2] remove => v2"}},
		},
		{
			"a pending remove may have taken the first", queue,
			[]string{"[1] call add(a)", "[1] return", "[2] call add(b)", "[2] return", "[9] call remove", "[3] call remove", "[3] return b"},
			check.Result{Verdict: check.Linearizable},
		},
		{
			"but only one", queue,
			[]string{"[1] call add(a)", "[1] return", "[2] call add(b)", "[2] return", "[9] call remove", "[3] call remove", "[3] return -"},
			check.Result{Verdict: check.Violation, Prefix: 7, Patterns: []string{"[1:1] add(v1); [2:2] remove => - (RO)"}},
		},
		{
			"a pending insert may answer that the value is there", set,
			[]string{"[1] call insert(1)", "[1] return -", "[2] call insert(1)", "[3] call contains(1)", "[3] return 1"},
			check.Result{Verdict: check.Linearizable},
		},
		{
			"the theory does not speak of a second insert", set,
			[]string{"[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)", "[4] call contains(1)", "[4] return 1"},
			check.Result{Verdict: check.Inconclusive, Detail: "a pending operation may complete so that the rule rule-1 is broken; the theory says nothing about that"},
		},
		{
			"but of other values, before", set,
			[]string{"[4] call contains(2)", "[4] return 2", "[1] call insert(1)", "[1] return -", "[2] call remove(1)", "[2] return 1", "[3] call insert(1)"},
			check.Result{Verdict: check.Violation, Prefix: 2, Patterns: []string{"[1:X] contains(v1) => v1 (RO)"}},
		},
		{
			"an axiom", set,
			[]string{"[1] call insert(1)", "[1] return -", "[2] call insert(2)", "[2] return -", "[3] call contains(1)", "[3] return 2"},
			check.Result{Verdict: check.Violation, Prefix: 6, Patterns: []string{"axiom-1"}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := build(t, tt.of)
			e := historytest.Log(t, th, tt.lines...)
			tt.want.Engine, tt.want.Events = "symbolic", e.Events
			got, err := by{Engine: "symbolic"}.Check(t.Context(), th, e)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestOutsideLanguage(t *testing.T) {
	for _, tt := range []struct {
		name  string
		of    source
		lines []string
		want  string
	}{
		{
			"added twice", queue,
			[]string{"[7] call add(1)", "[7] return", "[8] call add(2)", "[8] return", "[9] call add(1)", "[9] return"},
			"check: the execution is outside the theory's language: [7] add(1) at x.log:1:1 and [9] add(1) at x.log:5:1 break the rule rule-1",
		},
		{
			"by calls alone", queue,
			[]string{"[7] call add(1)", "[7] return", "[9] call add(1)"},
			"check: the execution is outside the theory's language: [7] add(1) at x.log:1:1 and [9] add*(1) at x.log:3:1 break the rule rule-1",
		},
		{
			"by two pending calls", queue,
			[]string{"[7] call add(1)", "[9] call add(1)"},
			"check: the execution is outside the theory's language: [7] add(1)* at x.log:1:1 and [9] add(1)* at x.log:2:1 break the rule rule-1",
		},
		{
			"inserted twice", set,
			[]string{"[1] call insert(1)", "[1] return -", "[2] call insert(1)", "[2] return -"},
			"check: the execution is outside the theory's language: [1] insert(1) => nil at x.log:1:1 and [2] insert(1) => nil at x.log:3:1 break the rule rule-1",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := build(t, tt.of)
			_, err := by{Engine: "symbolic"}.Check(t.Context(), th, historytest.Log(t, th, tt.lines...))
			var outside *check.OutsideLanguage
			if !errors.As(err, &outside) || outside.A == nil || outside.B == nil {
				t.Fatalf("Check: %v", err)
			}
			if got := strings.ReplaceAll(err.Error(), "add*(1)", "add(1)*"); got != strings.ReplaceAll(tt.want, "add*(1)", "add(1)*") {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestUnknownLabels(t *testing.T) {
	th := build(t, queue)
	label := func(method string, outcome history.Outcome, args, rets int) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: outcome}, Args: make([]history.Value, args), Rets: make([]history.Value, rets)}
	}
	for _, tt := range []struct {
		name  string
		label history.Label
		want  string
	}{
		{"method", label("remvoe", history.Nil, 0, 0), `the theory has no method "remvoe"; did you mean "remove"?`},
		{"outcome", label("remove", history.True, 0, 0), `remove has no outcome "true" in the theory`},
		{"arguments", label("add", history.None, 2, 0), "add takes 1 arguments, not 2"},
		{"results", label("remove", history.Some, 0, 2), "remove with outcome value returns 1 values, not 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := by{Engine: "symbolic"}.Check(t.Context(), th, history.Sequential(tt.label))
			var unknown *check.UnknownLabel
			if !errors.As(err, &unknown) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check: %v, want %s", err, tt.want)
			}
		})
	}
}

func TestAmbiguous(t *testing.T) {
	s := queue
	s.language = nil
	th := build(t, s)
	e := historytest.Log(t, th, "[1] call add(1)", "[1] return", "[2] call add(1)", "[2] return", "[3] call remove", "[3] return 1")
	_, err := by{Engine: "symbolic"}.Check(t.Context(), th, e)
	var ambiguous *check.Ambiguous
	if !errors.As(err, &ambiguous) {
		t.Errorf("Check: %v", err)
	}
}

func TestTheoriesTheEngineCannotUse(t *testing.T) {
	past := build(t, queue)
	past.Spec.Matching.Past = true
	ordered := build(t, queue)
	ordered.Spec.Matching.Target = []formula.Formula{formula.Atom{Name: "before", Args: []string{"y", "x"}}}
	for _, tt := range []struct {
		name string
		t    *theory.Theory
		want string
	}{
		{"past matching", past, "matching mode is past"},
		{"matching by order", ordered, "match target 1 must speak of labels only"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := by{Engine: "symbolic"}.Check(t.Context(), tt.t, &history.Execution{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Check: %v, want %s", err, tt.want)
			}
		})
	}
}

// crowd is n adds and n removes of a stack, all overlapping.
func crowd(n int) *history.Execution {
	e := &history.Execution{Events: 4 * n}
	for i := range n {
		v := []history.Value{history.Value(strconv.Itoa(i))}
		e.Ops = append(e.Ops,
			history.Operation{ID: "a" + strconv.Itoa(i), Label: history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: v}, Call: 2 * i, Return: 4*n - 1 - 2*i},
			history.Operation{ID: "r" + strconv.Itoa(i), Label: history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: v}, Call: 2*i + 1, Return: 4*n - 2 - 2*i})
	}
	return e
}

func TestTimeLimit(t *testing.T) {
	th := build(t, stack)
	for _, n := range []int{20, 60, 120, 2000} {
		const limit = 100 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		start := time.Now()
		r, err := by{Engine: "symbolic"}.Check(ctx, th, crowd(n))
		spent := time.Since(start)
		cancel()
		t.Logf("%d: %+v in %v", n, r, spent)
		if err != nil || r.Verdict == check.Violation || r.Verdict == check.Inconclusive && r.Detail == "" {
			t.Errorf("%d: %+v, %v", n, r, err)
		}
		if spent > 100*limit { // machines may be slow
			t.Errorf("%d: noticed a limit of %v after %v", n, limit, spent)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := (by{Engine: "symbolic"}).Check(ctx, th, crowd(3)); err != nil || r.Verdict != check.Inconclusive {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
}
