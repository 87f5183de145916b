package check_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/clauses"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// TestSaturateFewerPatterns leaves some of the patterns out: what is decided is
// the theory, or it is refused.
func TestSaturateFewerPatterns(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			counts := map[string]int{}
			for seed := range uint64(*histories / 2) {
				r := rand.New(rand.NewPCG(seed, 17))
				th := build(t, s.source)
				th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(p theory.Pattern) bool { return len(p.History.Ops) > 1 && r.IntN(6) == 0 })
				e := s.execution(r, 2+r.IntN(7), 1+r.IntN(4), 3)
				for _, m := range modes {
					got, err := m.engine.Check(t.Context(), th, e)
					if unsupported := (*clauses.Unsupported)(nil); errors.As(err, &unsupported) {
						counts["unsupported"]++
						break
					}
					if outside := (*check.OutsideLanguage)(nil); errors.As(err, &outside) {
						break
					}
					if err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
					counts[m.name+": "+string(got.Verdict)]++
					if got.Verdict == check.Violation && !someViolatingPrefix(t, th, e, got.Prefix) {
						t.Fatalf("seed %d, %s: %+v, but no prefix violates\n%s", seed, m.name, got, text(e))
					}
				}
			}
			t.Log(counts)
		})
	}
}

// someViolatingPrefix tells whether the symbolic engine does not find one of the
// first n prefixes linearizable.
func someViolatingPrefix(t *testing.T, th *theory.Theory, e *history.Execution, n int) bool {
	for ; n > 0; n-- {
		r, err := check.Symbolic{}.Check(t.Context(), th, e.Prefix(n))
		if err == nil && r.Verdict != check.Linearizable {
			return true
		}
	}
	return false
}

// TestRemovalLosesNothing compares what is found with and without forgetting,
// on executions long enough to forget much.
func TestRemovalLosesNothing(t *testing.T) {
	for _, s := range subjects[:4] { // the set's language is too narrow for long ones
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			rules, err := clauses.Compile(th)
			if err != nil {
				t.Fatal(err)
			}
			violating := 0
			for seed := range uint64(*histories) {
				r := rand.New(rand.NewPCG(seed, 77))
				ops := 4 + r.IntN(30)
				e := s.execution(r, ops, 2+r.IntN(5), ops)
				all, err := check.Saturate{Rules: rules}.Check(t.Context(), th, e)
				if err != nil {
					t.Fatal(err)
				}
				some, _ := check.Saturate{Rules: rules, Removal: true}.Check(t.Context(), th, e)
				if all.Prefix != some.Prefix {
					t.Fatalf("seed %d: %+v, with removal %+v\n%s", seed, all, some, text(e))
				}
				if all.Verdict == check.Violation {
					violating++
				}
			}
			t.Logf("%d violating", violating)
		})
	}
}

// TestSaturateRecorded checks all recorded histories. Two violations are found
// later than at their shortest prefix, none with probing.
func TestSaturateRecorded(t *testing.T) {
	theories := containers(t)
	late := []string{"simple/lifo-violation-dhk-1.log", "simple/lifo-violation-dhk-2.log"}
	for _, row := range truths(t) {
		th := theories[row.Object]
		e := readLog(t, th, filepath.Join(violin, row.File))
		for _, m := range modes {
			if m.engine.Probe && row.Ops > 1000 {
				continue
			}
			r, err := m.engine.Check(t.Context(), th, e)
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
	files, _ := filepath.Glob("../examples/*/*.theory.yaml")
	if len(files) == 0 {
		t.Skip("no example theories")
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		th, err := theory.Read(f, file)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := clauses.Compile(th); err != nil && !strings.Contains(err.Error(), "cannot be turned into clauses") {
			t.Error(err)
		} else {
			t.Log(th.Name, err)
		}
	}
}
