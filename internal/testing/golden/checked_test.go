package golden

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// checked decides random executions of a type by its reference as model, and
// compares verdict and prefix with a search that tries all orders and replays the
// reference for each.
func checked(t *testing.T, typ *Type, loaded reference.Implementation) {
	inside, replayed := within(t, typ, loaded)
	c := comparison{typ: typ, replayed: replayed}
	n, rest := executions()
	c.run(t, loaded, 0, n)
	c.run(t, inside, n, n+rest)
	if c.wrong == 0 || c.many > c.all/20 {
		t.Errorf("of %d executions %d are violations, and %d have too many orders", c.all, c.wrong, c.many)
	}
	if testsize.Nightly() {
		t.Logf("%d executions, %d violations, %d with too many orders", c.all, c.wrong, c.many)
	}
}

// comparison counts what executions of a type were.
type comparison struct {
	typ              *Type
	replayed         *Replayed
	all, wrong, many uint64
	told             uint64
}

// explained looks at the explanation of a violation: what the last operation should have answered, and whether
// that follows from the operations that are listed, and from no fewer.
func (c *comparison) explained(t *testing.T, checker *check.Checker, e *history.Execution, got check.Result, seed uint64) {
	x, err := checker.Explain(t.Context(), e, got)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
	}
	last := slices.IndexFunc(e.Ops, func(o history.Operation) bool { return o.Return == got.Prefix-1 })
	if x.Open || e.Ops[last].ID != x.Last.ID { // what it may answer cannot be listed, or the last one failed for no reason
		return
	}
	wrong := checktest.Misexplained(c.replayed.model, e.Prefix(got.Prefix), x)
	if c.replayed.err == nil && wrong != "" {
		t.Fatalf("seed %d: %s\n%s\nof\n%s", seed, wrong, historytest.Text(x.Execution), historytest.Text(e))
	}
	c.told++
}

// run compares what a Checker of a reference decides for the executions of some seeds,
// and for each tenth as a log that it follows.
func (c *comparison) run(t *testing.T, impl reference.Implementation, from, to uint64) {
	checker, err := check.New(nil, check.Options{Reference: impl, MayFail: kindsOf(c.typ.MayFail())})
	if err != nil {
		t.Fatal(err)
	}
	for seed := from; seed < to; seed++ {
		c.all++
		e, err := c.replayed.Execution(rand.New(rand.NewPCG(seed, 11)), seed%2 == 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, err := c.replayed.ShortestViolation(e)
		if err == ErrTooMany {
			c.many++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
		got, err := checker.Check(t.Context(), e)
		if unknown := (*check.UnknownLabel)(nil); errors.As(err, &unknown) && want > 0 {
			c.wrong++ // a wrong answer that is none of its type is refused
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
		if want > 0 {
			c.wrong++
		}
		if problem := differ(got, want, e, impl); problem != "" {
			t.Fatalf("seed %d: %s in the first %d events, %s in %d\n%s", seed, got.Verdict, got.Prefix, problem, want, historytest.Text(e))
		}
		if seed%10 == 0 {
			followed(t, checker, e, got)
		}
		if got.Prefix == want && want > 0 {
			c.explained(t, checker, e, got, seed)
		}
	}
}

// followed writes an execution as a log, follows that, and wants the same answer.
func followed(t *testing.T, checker *check.Checker, e *history.Execution, want check.Result) {
	t.Helper()
	var log bytes.Buffer
	if err := history.WriteText(&log, e); err != nil {
		t.Fatalf("%v\n%s", err, historytest.Text(e))
	}
	source := check.Source{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(&log), nil }}
	got := checker.Follow(t.Context(), source, &check.Progress{})
	if got.Err != nil || got.Result.Verdict != want.Verdict || got.Result.Prefix != want.Prefix {
		t.Fatalf("followed: %s in the first %d events, error %v; at once: %s in %d\n%s",
			got.Result.Verdict, got.Result.Prefix, got.Err, want.Verdict, want.Prefix, historytest.Text(e))
	}
}

// kindsOf writes kinds of operations as options have them.
func kindsOf(kinds []history.Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.Method+"="+string(k.Outcome))
	}
	return names
}

// differ says what a result should be. What a pending call of an acceptor may
// answer cannot be listed: there, a longer prefix or no verdict will do.
func differ(got check.Result, want int, e *history.Execution, impl reference.Implementation) string {
	verdict := check.Linearizable
	if want > 0 {
		verdict = check.Violation
	}
	if got.Verdict == verdict && (want == 0 || got.Prefix == want) {
		return ""
	}
	running := func(n int) bool {
		return slices.ContainsFunc(e.Prefix(n).Ops, func(o history.Operation) bool { return !o.Completed() })
	}
	if _, ok := impl.(reference.Acceptor); ok && want > 0 && running(want) &&
		(got.Verdict == check.Violation && got.Prefix > want || got.Verdict == check.Inconclusive && running(e.Events)) {
		return ""
	}
	return "want " + string(verdict)
}

// executions is how many executions of each type are decided with the package
// loaded, and how many more with it in this process.
func executions() (loaded, inside uint64) {
	switch {
	case testsize.Nightly():
		return 1000, 99_000
	case testsize.Long():
		return 30, 120
	}
	return 30, 0
}
