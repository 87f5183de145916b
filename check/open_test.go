package check_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

func returning(l history.Label, v history.Value) history.Label {
	l.Outcome, l.Rets = history.Some, []history.Value{v}
	return l
}

// TestOpen: the reference is opened for the first log that nothing covers, once.
func TestOpen(t *testing.T) {
	th := historytest.Theory(t, "examples/queue/queue.theory.yaml")
	opened := 0
	impl := inProcess(t, reference.Spec{New: func() *plainQueue { return &plainQueue{} }})
	c, err := check.New(th, check.Options{Open: func(context.Context) (reference.Implementation, error) { opened++; return impl, nil }})
	if err != nil {
		t.Fatal(err)
	}
	add := label("add", history.None, 1)
	remove := func(v history.Value) history.Label { return returning(label("remove", history.Some), v) }
	if r, err := c.Check(t.Context(), history.Sequential(add, remove("1"))); err != nil || r.Verdict != check.Linearizable || opened > 0 {
		t.Errorf("what the patterns cover: %+v, %v, opened %d times", r, err, opened)
	}
	if r, err := c.Check(t.Context(), history.Sequential(add, add, remove("1"), remove("1"))); err != nil || r.Verdict != check.Linearizable || !strings.Contains(r.By, "does not cover") {
		t.Errorf("a value comes again: %+v, %v", r, err)
	}
	bad := history.Sequential(add, add, remove("1"), remove("2"))
	r, err := c.Check(t.Context(), bad)
	if err != nil || r.Verdict != check.Violation || r.Prefix != 8 || opened != 1 {
		t.Errorf("a wrong value: %+v, %v, opened %d times", r, err, opened)
	}
	if x, err := c.Explain(t.Context(), bad, r); err != nil || len(x.Answers) != 1 {
		t.Errorf("why: %+v, %v", x, err)
	}

	c, err = check.New(th, check.Options{Open: func(context.Context) (reference.Implementation, error) { return nil, errors.New("no Go here") }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Check(t.Context(), bad); !errors.As(err, new(*check.OutsideLanguage)) || !strings.Contains(err.Error(), "no Go here") {
		t.Errorf("a reference that cannot be opened: %v", err)
	}
	own := *th
	own.Spec.Model = &origin.Model{Package: "example.com/m/queue"}
	if c, err = check.New(&own, check.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Check(t.Context(), bad); !errors.As(err, new(*check.OutsideLanguage)) || !strings.Contains(err.Error(), "example.com/m/queue") {
		t.Errorf("a refusal that names the reference: %v", err)
	}
}

// TestBeside: an automaton beside patterns decides what their language leaves out, and
// where both cover a log they agree.
func TestBeside(t *testing.T) {
	th := historytest.Theory(t, "examples/set/set.theory.yaml")
	alone, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	both := *th
	if both.Spec.Automaton, err = automata.Parse(`
n[k] = #insert(k)=nil - #remove(k)=value
insert(x)    if n[x] >= 1 => x
             otherwise    => -
remove(x)    if n[x] >= 1 => x
             otherwise    => -
contains(x)  if n[x] >= 1 => x
             otherwise    => -
`, th.Spec.Methods); err != nil {
		t.Fatal(err)
	}
	beside, err := check.New(&both, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	typ := historytest.Set()
	covered, left, violations, n := 0, 0, 0, testsize.Samples(2_000)
	for seed := range n {
		e := ofType(typ, seed)
		want := typ.Model.ShortestViolation(e)
		r, err := beside.Check(t.Context(), e)
		if err != nil || (r.Verdict == check.Violation) != (want > 0) || (r.Verdict == check.Linearizable) != (want == 0) || r.Prefix != want {
			historytest.Fatal(t, e, "seed %d: %+v, %v; want %d", seed, r, err, want)
		}
		if want > 0 {
			violations++
		}
		if _, err := alone.Check(t.Context(), e); errors.As(err, new(*check.OutsideLanguage)) {
			left++
		} else {
			covered++
		}
	}
	mixed(t, violations, n)
	if covered < 10 || left < 10 {
		t.Errorf("%d logs are in the language, and %d are not", covered, left)
	}
	for _, wrong := range []bool{false, true} {
		e := typ.Execution(rand.New(rand.NewPCG(1, 9)), 3_000, 4, 0)
		if wrong {
			i := len(e.Ops) - 10 + slices.IndexFunc(e.Ops[len(e.Ops)-10:], func(o history.Operation) bool { return o.Completed() })
			if o := &e.Ops[i]; o.Outcome == history.Nil {
				o.Outcome, o.Rets = history.Some, o.Args
			} else {
				o.Outcome, o.Rets = history.Nil, nil
			}
		}
		r, err := beside.Check(t.Context(), e)
		if err != nil || (r.Verdict == check.Violation) != wrong || r.Engine != "auto: wgl" && r.Engine != "auto: monitor" {
			t.Errorf("a long log, wrong: %t: %+v, %v", wrong, r, err)
		}
	}
}
