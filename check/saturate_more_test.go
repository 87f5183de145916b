package check_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestSaturateFewerPatterns leaves some of the patterns out: what is decided is
// the theory, or it is refused.
func TestSaturateFewerPatterns(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			counts := map[string]int{}
			var th *theory.Theory
			var engines []checking
			var symbolic checking
			for seed := range testsize.Samples(200) {
				r := rand.New(rand.NewPCG(seed, 17))
				if seed%4 == 0 {
					th = build(t, s.source)
					th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(p theory.Pattern) bool { return len(p.History.Ops) > 1 && r.IntN(6) == 0 })
					engines = nil
					_, err := clauses.Compile(th)
					if unsupported := (*clauses.Unsupported)(nil); errors.As(err, &unsupported) {
						counts["unsupported"]++
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					engines, symbolic = readyModes(t, th), ready(t, by{Engine: "symbolic"}, th)
				}
				if engines == nil {
					continue
				}
				e := s.Execution(r, 2+r.IntN(7), 1+r.IntN(4), 3)
				for i, m := range modes {
					got, err := engines[i].Check(t.Context(), th, e)
					if outside := (*check.OutsideLanguage)(nil); errors.As(err, &outside) {
						break
					}
					if err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
					counts[m.name+": "+string(got.Verdict)]++
					if got.Verdict == check.Violation && !someViolatingPrefix(t, symbolic, th, e, got.Prefix) {
						t.Fatalf("seed %d, %s: %+v, but no prefix violates\n%s", seed, m.name, got, historytest.Text(e))
					}
				}
			}
			t.Log(counts)
		})
	}
}

// someViolatingPrefix reports whether the symbolic engine does not find one of the
// first n prefixes linearizable.
func someViolatingPrefix(t *testing.T, symbolic checking, th *theory.Theory, e *history.Execution, n int) bool {
	for ; n > 0; n-- {
		r, err := symbolic.Check(t.Context(), th, e.Prefix(n))
		if err == nil && r.Verdict != check.Linearizable {
			return true
		}
	}
	return false
}

// TestSaturateRecorded checks all recorded histories. Two violations are found
// later than at their shortest prefix, none with probing.
func TestSaturateRecorded(t *testing.T) {
	theories := containers(t)
	engines := map[string][]checking{}
	for object, th := range theories {
		engines[object] = readyModes(t, th)
	}
	late := []string{"simple/lifo-violation-dhk-1.log", "simple/lifo-violation-dhk-2.log"}
	for _, row := range historytest.Recordings(t) {
		th := theories[row.Object]
		e := row.Read(t, th)
		for i, m := range modes {
			if row.Ops > 1000 && (m.engine.Probe || !testsize.Long()) {
				continue
			}
			r, err := engines[row.Object][i].Check(t.Context(), th, e)
			switch {
			case err != nil || row.Linearizable != (r.Verdict == check.NoViolationFound):
				t.Errorf("%s, %s: %+v, %v, want linearizable %v", row.File, m.name, r, err, row.Linearizable)
			case r.Prefix < row.Prefix, r.Prefix > row.Prefix && (m.engine.Probe || !slices.Contains(late, row.File)):
				t.Errorf("%s, %s: found at %d, it is there at %d", row.File, m.name, r.Prefix, row.Prefix)
			}
		}
	}
}

// TestSaturateExamples compiles the theories of the examples.
func TestSaturateExamples(t *testing.T) {
	for _, name := range []string{"queue", "stack", "register", "lock", "set", "worksteal"} {
		if _, err := clauses.Compile(historytest.Example(t, name)); err != nil && !strings.Contains(err.Error(), "cannot be turned into clauses") {
			t.Error(err)
		} else {
			t.Log(name, err)
		}
	}
}
