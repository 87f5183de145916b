package check_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
)

// On long executions auto asks the near-linear procedures where there is one,
// and says what symbolic says.
func TestAutoOnLongExecutions(t *testing.T) {
	if testing.Short() {
		t.Skip("long executions")
	}
	ctx := context.Background()
	byMonitor := 0
	for i := range subjects {
		s := &subjects[i]
		th := build(t, s.source)
		for seed := range uint64(4) {
			mutate := 1_000_000
			if seed%2 == 1 {
				mutate = 300
			}
			e := s.Execution(rand.New(rand.NewPCG(seed, 77)), 2200, 3, mutate)
			auto, autoErr := by{}.Check(ctx, th, e)
			symbolic, symbolicErr := by{Engine: "symbolic"}.Check(ctx, th, e)
			if (autoErr == nil) != (symbolicErr == nil) {
				t.Fatalf("%s, seed %d: auto %v, symbolic %v", s.name, seed, autoErr, symbolicErr)
			}
			if symbolic.Verdict != check.Inconclusive && auto.Verdict != symbolic.Verdict {
				t.Errorf("%s, seed %d: auto (%s) %s, symbolic %s", s.name, seed, auto.Engine, auto.Verdict, symbolic.Verdict)
			}
			if strings.HasSuffix(auto.Engine, "monitor") {
				byMonitor++
			}
			t.Log(s.name, seed, auto.Engine, auto.Verdict, auto.Prefix, symbolic.Verdict, symbolic.Prefix, autoErr)
		}
	}
	if byMonitor == 0 {
		t.Error("no monitor decided anything")
	}
}
