package check_test

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// relaxed is a type some calls of which may also answer so in every state, and then
// change nothing.
func relaxed(t historytest.Type, ks history.Kinds) historytest.Type {
	strict := t.Model
	t.Model = func(state string, call *history.Label) []historytest.Way {
		ways := append([]historytest.Way(nil), strict(state, call)...)
		for _, k := range ks {
			if k.Method == call.Method {
				ways = append(ways, historytest.Way{Outcome: k.Outcome, Next: state})
			}
		}
		return ways
	}
	return t
}

// TestMayFail: verdict, shortest prefix and evidence are those of a search that tries
// everything on the relaxed type, with a theory, a model and a reference.
func TestMayFail(t *testing.T) {
	impl, err := reference.New(reference.Spec{Name: "queue", New: func() *plainQueue { return &plainQueue{} }, Skip: []string{"len"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		typ     historytest.Type
		kind    history.Kind
		options check.Options
		bare    bool // without a theory
	}{
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{}, false},
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{Engine: "symbolic"}, false},
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{Engine: "monitor"}, false},
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{Engine: "wgl", Model: "queue"}, false},
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{Model: "queue"}, true},
		{historytest.Queue(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{Reference: impl}, true},
		{historytest.Stack(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{}, false},
		{historytest.Set(), history.Kind{Method: "remove", Outcome: history.Nil}, check.Options{}, false},
	} {
		name := tt.typ.Name + " " + tt.options.Engine + tt.options.Model
		th := historytest.Example(t, tt.typ.Name)
		o := tt.options
		o.MayFail = history.Kinds{tt.kind}.Texts()
		if tt.bare {
			name, th = name+" alone", nil
		}
		c, err := check.New(th, o)
		if err != nil {
			t.Fatal(name, err)
		}
		typ := relaxed(tt.typ, history.Kinds{tt.kind})
		violations := 0
		for seed := range uint64(testsize.Samples(2_000)) {
			r := rand.New(rand.NewPCG(seed, 5))
			e := typ.Execution(r, 3+r.IntN(7), 2+r.IntN(3), 1+r.IntN(4))
			res, err := c.Check(t.Context(), e)
			if err != nil {
				if th == nil || !strings.Contains(err.Error(), "outside the theory's language") {
					t.Fatal(name, seed, err)
				}
				continue
			}
			want := typ.Model.ShortestViolation(e)
			exact := !strings.Contains(res.Detail, "the violation may begin earlier")
			if exact && res.Prefix != want || res.Prefix < want || (res.Verdict == check.Violation) != (want > 0) || res.Events != e.Events || res.Verdict == check.Inconclusive {
				historytest.Fatal(t, e, "%s, seed %d: %+v, want prefix %d", name, seed, res, want)
			}
			if want > 0 {
				violations++
			}
			evidenced(t, c, th, o.MayFail, e, res, typ.Model)
		}
		if violations < 40 {
			t.Errorf("%s: only %d violations", name, violations)
		}
	}
}

// TestMayNotFail: what is no failure of the theory's methods is refused.
func TestMayNotFail(t *testing.T) {
	for text, want := range map[string]string{
		"Remove=nil":  "",
		"insert=nil":  "check: what may fail: insert => nil changes the state, as pattern ",
		"insert=none": `check: what may fail: method insert has no outcome "none"`,
		"add=nil":     `check: what may fail: unknown method "add"`,
	} {
		_, err := check.New(historytest.Example(t, "set"), check.Options{MayFail: []string{text}})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c, err := check.New(historytest.Example(t, "queue"), check.Options{MayFail: []string{"remove=nil"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CanFollow(t.Context()); err == nil || !strings.Contains(err.Error(), "only the whole log says which operations failed") {
		t.Error(err)
	}
	log := "[1] call add(1)\n[1] return\n[2] call remove\n[2] return -\n[3] call remove\n[3] return 2\n"
	r := c.Follow(t.Context(), check.Source{Name: "x.log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}, new(check.Progress))
	if r.Err != nil || r.Result.Verdict != check.Violation || r.Result.Prefix != 6 {
		t.Errorf("%+v", r)
	}
}

// evidenced makes evidence for a verdict, and has it verified, for a theory that says
// what may fail.
func evidenced(t *testing.T, c *check.Checker, th *theory.Theory, mayFail []string, e *history.Execution, res check.Result, m historytest.Model) {
	t.Helper()
	if th == nil {
		if x, err := c.Explain(context.Background(), e, res); res.Verdict == check.Violation && (err != nil || m.Linearizable(x.Execution)) {
			historytest.Fatal(t, e, "explanation: %v, %v", x, err)
		}
		return
	}
	ev, err := c.Witness(context.Background(), e, res)
	if err != nil {
		historytest.Fatal(t, e, "%v", err)
	}
	relaxed := *th
	if relaxed.Spec.MayFail, err = history.Parse(th.Spec.Methods, mayFail); err != nil {
		t.Fatal(err)
	}
	if err := verify.Check(context.Background(), &relaxed, e, ev, m.Admits); err != nil {
		historytest.Fatal(t, e, "%v\n%+v", err, ev)
	}
}
