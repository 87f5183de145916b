package check_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// agree compares engines that are complete with the symbolic one: error,
// verdict and shortest prefix.
func agree(t *testing.T, s *subject, seed uint64, e *history.Execution, engines map[string]check.Engine) check.Verdict {
	t.Helper()
	th := build(t, s.source)
	want, wantErr := check.Symbolic{}.Check(t.Context(), th, e)
	for name, engine := range engines {
		got, err := engine.Check(t.Context(), th, e)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("seed %d, %s: error %v, symbolic says %v\n%s", seed, name, err, wantErr, text(e))
		}
		if got.Verdict != want.Verdict || got.Prefix != want.Prefix || (got.Detail == "") != (want.Detail == "") {
			t.Fatalf("seed %d, %s: %+v, symbolic says %+v\n%s", seed, name, got, want, text(e))
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

func agreeAll(t *testing.T, n uint64, engines map[string]check.Engine) {
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			counts := map[check.Verdict]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 23))
				e := s.execution(r, 2+r.IntN(5), 1+r.IntN(4), 4)
				counts[agree(t, s, seed, e, engines)]++
			}
			t.Log(counts)
			if counts[check.Violation] < int(n/8) || counts[check.Linearizable] < int(n/8) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
