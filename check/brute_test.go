package check_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// subject is a data type with its theory.
type subject struct {
	source
	historytest.Type
}

var subjects = []subject{
	{queue, historytest.Queue()},
	{stack, historytest.Stack()},
	{register, historytest.Register()},
	{lock, historytest.Lock()},
	{set, historytest.Set()},
}

// TestSymbolicAgainstModels compares verdict and shortest prefix with a search
// over an executable model, on random executions with pending operations.
func TestSymbolicAgainstModels(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			engine := ready(t, by{Engine: "symbolic"}, th)
			counts := map[check.Verdict]int{}
			late, n := 0, testsize.Samples(1500)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 7))
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				res, err := engine.Check(t.Context(), th, e)
				var outside *check.OutsideLanguage
				if errors.As(err, &outside) {
					continue
				}
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
				}
				counts[res.Verdict]++
				want := s.Model.ShortestViolation(e)
				wrong := (res.Verdict == check.Linearizable) != (want == 0)
				if res.Verdict == check.Inconclusive {
					wrong = res.Detail == "" || s.name != "set"
				}
				if res.Verdict == check.Violation {
					wrong = wrong || res.Prefix < want || res.Prefix > want && res.Detail == "" || len(res.Patterns) == 0
					if res.Prefix > want {
						late++
					}
				}
				if wrong {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, res, want, historytest.Text(e))
				}
			}
			t.Logf("%v, %d late", counts, late)
			if counts[check.Violation] < int(n)/8 || counts[check.Linearizable] < int(n)/8 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
