package peer

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestEngines compares verdicts and shortest prefixes of the engines that decide
// by theory with Porcupine's, on executions too long to try everything. About
// half of them are complete.
func TestEngines(t *testing.T) {
	for _, s := range historytest.Examples() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			th, m := historytest.Example(t, s.Name), model(s.Model)
			counts := map[porcupine.CheckResult]int{}
			for seed := range testsize.Samples(500) {
				r := rand.New(rand.NewPCG(seed, 13))
				e := s.Execution(r, 10+r.IntN(25), 2+r.IntN(4), 30)
				if r.IntN(2) == 0 {
					e.Ops = slices.DeleteFunc(e.Ops, func(o history.Operation) bool { return !o.Completed() })
				}
				want := says(m, e)
				counts[want]++
				for _, engine := range []checktest.Engine{checktest.By{}, checktest.By{Engine: "symbolic"}} {
					got, err := engine.Check(t.Context(), th, e)
					if errors.As(err, new(*check.OutsideLanguage)) {
						continue
					}
					if err != nil {
						t.Fatalf("seed %d, %s: %v\n%s", seed, engine.Name(), err, historytest.Text(e))
					}
					compare(t, m, e, want, got)
				}
			}
			if counts[porcupine.Ok] < 10 || counts[porcupine.Illegal] < 10 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

func compare(t *testing.T, m porcupine.Model, e *history.Execution, want porcupine.CheckResult, got check.Result) {
	t.Helper()
	wrong := false
	switch got.Verdict {
	case check.Linearizable:
		wrong = want == porcupine.Illegal
	case check.Violation:
		wrong = want == porcupine.Ok || says(m, e.Prefix(got.Prefix)) == porcupine.Ok ||
			got.Detail == "" && says(m, e.Prefix(got.Prefix-1)) == porcupine.Illegal
	}
	if wrong {
		t.Fatalf("%+v, Porcupine says %s\n%s", got, want, historytest.Text(e))
	}
}
