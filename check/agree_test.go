package check_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// agree compares engines that are complete with the first, the symbolic one:
// error, verdict and shortest prefix.
func agree(t *testing.T, th *theory.Theory, seed uint64, e *history.Execution, engines []checking) check.Verdict {
	t.Helper()
	want, wantErr := engines[0].Check(t.Context(), th, e)
	for _, engine := range engines[1:] {
		name := engine.Name()
		got, err := engine.Check(t.Context(), th, e)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("seed %d, %s: error %v, symbolic says %v\n%s", seed, name, err, wantErr, historytest.Text(e))
		}
		if got.Verdict != want.Verdict || got.Prefix != want.Prefix || (got.Detail == "") != (want.Detail == "") {
			t.Fatalf("seed %d, %s: %+v, symbolic says %+v\n%s", seed, name, got, want, historytest.Text(e))
		}
	}
	if errors.As(wantErr, new(*check.OutsideLanguage)) {
		return "outside"
	}
	if wantErr != nil {
		t.Fatal(wantErr)
	}
	return want.Verdict
}

func agreeAll(t *testing.T, n uint64, others ...checking) {
	n = testsize.Samples(n)
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th, engines := build(t, s.source), []checking(nil)
			for _, e := range append([]checking{by{Engine: "symbolic"}}, others...) {
				engines = append(engines, ready(t, e, th))
			}
			counts := map[check.Verdict]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 23))
				e := s.Execution(r, 2+r.IntN(5), 1+r.IntN(4), 4)
				counts[agree(t, th, seed, e, engines)]++
			}
			t.Log(counts)
			if counts[check.Violation] < int(n/8) || counts[check.Linearizable] < int(n/8) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

func TestEnumerateAgrees(t *testing.T) { agreeAll(t, 120, oracle{}) }
