package golden

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// checked decides random executions of a type by its reference as model, and
// compares verdict and prefix with a search that tries all orders and replays the
// reference for each.
func checked(t *testing.T, typ *Type, impl reference.Implementation) {
	checker, err := check.New(nil, check.Options{Reference: impl, MayFail: kindsOf(typ.MayFail())})
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := Replay(t.Context(), impl, typ.MayFail()...)
	if err != nil {
		t.Fatal(err)
	}
	wrong, many := 0, uint64(0)
	for seed := range executions() {
		e, err := replayed.Execution(rand.New(rand.NewPCG(seed, 11)), seed%2 == 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, err := replayed.ShortestViolation(e)
		if err == ErrTooMany {
			many++
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
		got, err := checker.Check(t.Context(), e)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
		if want > 0 {
			wrong++
		}
		if problem := differ(got, want, e, impl); problem != "" {
			t.Fatalf("seed %d: %s in the first %d events, %s in %d\n%s", seed, got.Verdict, got.Prefix, problem, want, historytest.Text(e))
		}
	}
	if n := executions(); wrong == 0 || many > n/20 {
		t.Errorf("of %d executions %d are violations, and %d have too many orders", n, wrong, many)
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

// executions is how many executions are decided of each type.
func executions() uint64 {
	switch {
	case testsize.Nightly():
		return 10_000
	case testsize.Long():
		return 100
	}
	return 30
}
