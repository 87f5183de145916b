package check_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

var histories = flag.Int("histories", 400, "random executions of each type that saturation is compared on")

// modes are the ways to saturate.
var modes = []struct {
	name   string
	engine by
}{
	{"plain", by{Engine: "saturate", KeepMatches: true}},
	{"removal", by{Engine: "saturate"}},
	{"probe", by{Engine: "saturate", KeepMatches: true, Probe: true}},
	{"removal, probe", by{Engine: "saturate", Probe: true}},
}

// readyModes are the modes for one theory.
func readyModes(t *testing.T, th *theory.Theory) (engines []checking) {
	t.Helper()
	for _, m := range modes {
		engines = append(engines, ready(t, m.engine, th))
	}
	return engines
}

// tally counts how an engine fares.
type tally struct{ missed, late int }

// TestSaturateAgainstModels counts missed and late violations, and tolerates no
// false alarm at any prefix.
func TestSaturateAgainstModels(t *testing.T) {
	for i := range subjects {
		s := &subjects[i]
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			compareWithModel(t, s, int(testsize.Samples(uint64(*histories))))
		})
	}
}

func compareWithModel(t *testing.T, s *subject, n int) {
	th := build(t, s.source)
	engines := readyModes(t, th)
	tallies := make([]tally, len(modes))
	violating, checked := 0, 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 7))
		e := s.Execution(r, 2+r.IntN(7), 1+r.IntN(4), 1+r.IntN(6))
		want := -1
		for i, m := range modes {
			res, err := engines[i].Check(t.Context(), th, e)
			var outside *check.OutsideLanguage
			if errors.As(err, &outside) {
				break
			}
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
			}
			if want < 0 {
				if want = s.Model.ShortestViolation(e); want > 0 {
					violating++
				}
				checked++
			}
			switch {
			case res.Verdict == check.Violation && (want == 0 || res.Prefix < want):
				t.Fatalf("seed %d, %s: a false alarm, %+v, where the model says %d\n%s", seed, m.name, res, want, historytest.Text(e))
			case res.Verdict != check.Violation && want > 0:
				tallies[i].missed++
				if tallies[i].missed == 1 && i%2 == 1 {
					t.Logf("seed %d, %s: missed at %d\n%s", seed, m.name, want, historytest.Text(e))
				}
			case res.Prefix > want:
				tallies[i].late++
				if tallies[i].late <= 2 && i == 2 {
					t.Logf("seed %d, %s: late, %d, at %d\n%s", seed, m.name, want, res.Prefix, historytest.Text(e))
				}
			}
		}
	}
	t.Logf("%d executions, %d violating", checked, violating)
	for i, m := range modes {
		t.Logf("%-15s %d missed, %d late", m.name, tallies[i].missed, tallies[i].late)
		if limit := violating / 100; tallies[i].missed > limit/4 || tallies[i].late > limit+4 {
			t.Errorf("%s: more than expected", m.name)
		}
	}
	if tallies[0] != tallies[1] {
		t.Errorf("removal changes what is found: %v, %v", tallies[0], tallies[1])
	}
}

// TestSaturateMiss is a violation that unit propagation does not find.
func TestSaturateMiss(t *testing.T) {
	th := build(t, stack)
	e := historytest.ReadLog(t, th, historytest.Shared(t, "own/bcp-miss-stack.log"))
	for _, tt := range modes {
		want := check.NoViolationFound
		if tt.engine.Probe {
			want = check.Violation
		}
		if r, err := tt.engine.Check(t.Context(), th, e); err != nil || r.Verdict != want {
			t.Errorf("%s: %+v, %v, want %s", tt.name, r, err, want)
		}
	}
}
