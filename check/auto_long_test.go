package check_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// On long executions auto asks the near-linear procedures where there is one,
// and says what symbolic says.
func TestAutoOnLongExecutions(t *testing.T) {
	ctx := context.Background()
	byMonitor := 0
	for i := range subjects {
		s := &subjects[i]
		th := build(t, s.source)
		auto, symbolic := ready(t, by{}, th), ready(t, by{Engine: "symbolic"}, th)
		for seed := range min(2+testsize.Samples(2), 4) {
			mutate := 1_000_000
			if seed%2 == 1 {
				mutate = 300
			}
			e := s.Execution(rand.New(rand.NewPCG(seed, 77)), 2200, 3, mutate)
			got, autoErr := auto.Check(ctx, th, e)
			want, symbolicErr := symbolic.Check(ctx, th, e)
			if (autoErr == nil) != (symbolicErr == nil) {
				t.Fatalf("%s, seed %d: auto %v, symbolic %v", s.name, seed, autoErr, symbolicErr)
			}
			if want.Verdict != check.Inconclusive && got.Verdict != want.Verdict {
				t.Errorf("%s, seed %d: auto (%s) %s, symbolic %s", s.name, seed, got.Engine, got.Verdict, want.Verdict)
			}
			if strings.HasSuffix(got.Engine, "monitor") {
				byMonitor++
			}
			t.Log(s.name, seed, got.Engine, got.Verdict, got.Prefix, want.Verdict, want.Prefix, autoErr)
		}
	}
	if byMonitor == 0 {
		t.Error("no monitor decided anything")
	}
}
