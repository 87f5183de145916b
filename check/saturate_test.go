package check_test

import (
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

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
