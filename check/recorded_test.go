package check_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
)

// TestRecordedByEngine compares the complete engines with what is known of the
// small recorded histories, and counts what counting finds of their violations
// ("Monitoring refinement" Figure 14).
func TestRecordedByEngine(t *testing.T) {
	theories := containers(t)
	models := map[string]wgl.Model{}
	for object, th := range theories {
		m, err := check.BuiltinModel(t.Context(), th, strings.TrimPrefix(object, "atomic-"))
		if err != nil {
			t.Fatal(err)
		}
		models[object] = m
	}
	violations, found := 0, map[int]int{}
	undecided := map[string]int{}
	for _, row := range historytest.Recordings(t) {
		if row.Ops >= 400 {
			continue
		}
		th := theories[row.Object]
		e := row.Read(t, th)
		for _, engine := range []check.Engine{check.WGL{}, check.WGL{Model: models[row.Object]}, check.Enumerate{}} {
			ctx, cancel := context.WithCancel(t.Context())
			if engine.Name() == "enumerate" { // which may take forever
				ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
			}
			r, err := engine.Check(ctx, th, e)
			cancel()
			switch {
			case err != nil:
				t.Errorf("%s: %s: %v", row.File, engine.Name(), err)
			case r.Verdict == check.Inconclusive:
				undecided[engine.Name()]++
			case r.Detail == "" && r.Prefix != row.Prefix, (r.Verdict == check.Linearizable) != row.Linearizable:
				t.Errorf("%s: %s: %+v, want linearizable %v, prefix %d", row.File, engine.Name(), r, row.Linearizable, row.Prefix)
			}
		}
		if row.Linearizable {
			continue
		}
		violations++
		for _, k := range []int{1, 2, 4} {
			r, err := check.Counting{K: k}.Check(t.Context(), th, e)
			switch {
			case err != nil:
				t.Errorf("%s: %v", row.File, err)
			case r.Verdict == check.Violation && r.Prefix >= row.Prefix:
				found[k]++
			case r.Verdict != check.NoViolationFound:
				t.Errorf("%s: counting %d: %+v, the shortest prefix has %d events", row.File, k, r, row.Prefix)
			}
		}
	}
	t.Logf("%d violations, found by counting: %v; out of time: %v", violations, found, undecided)
	if found[1] > found[2] || found[2] > found[4] || found[4] < violations*3/4 {
		t.Errorf("counting found %v of %d", found, violations)
	}
	if undecided["wgl"] > 0 {
		t.Errorf("wgl ran out of time %d times", undecided["wgl"])
	}
}

// TestCountingAgrees: what counting finds are violations, and it does not see
// them before they are there.
func TestCountingAgrees(t *testing.T) {
	th := build(t, stack)
	symbolic, counting := ready(t, check.Symbolic{}, th), ready(t, check.Counting{K: 2}, th)
	missed, found := 0, 0
	for seed, e := range corpus(&subjects[1], 150, 8, 3, 5) {
		want, err := symbolic.Check(t.Context(), th, e)
		if err != nil {
			t.Fatal(err)
		}
		got, err := counting.Check(t.Context(), th, e)
		switch {
		case err != nil:
			t.Fatal(err)
		case got.Verdict == check.NoViolationFound:
			if want.Verdict == check.Violation {
				missed++
			}
		case got.Verdict != check.Violation || want.Verdict != check.Violation || got.Prefix < want.Prefix:
			t.Fatalf("seed %d: %+v, symbolic says %+v\n%s", seed, got, want, historytest.Text(e))
		default:
			found++
		}
	}
	t.Logf("found %d, missed %d", found, missed)
	if found < 20 {
		t.Errorf("found only %d", found)
	}
}

func TestBadOptions(t *testing.T) {
	th := build(t, queue)
	e := historytest.Log(t, th, "[1] call add(1)", "[1] return")
	for _, engine := range []check.Engine{check.Counting{}, check.Counting{K: -1}, check.WGL{LRU: -1}} {
		if _, err := engine.Check(t.Context(), th, e); err == nil || !strings.HasPrefix(err.Error(), "check: ") {
			t.Errorf("%+v: %v", engine, err)
		}
	}
	twice := historytest.Log(t, th, "[1] call add(1)", "[1] return", "[2] call add(1)", "[2] return")
	for _, engine := range []check.Engine{check.Counting{K: 2}, check.WGL{}, check.Enumerate{}, check.Auto{}, check.Partitioned{Engine: check.WGL{}}} {
		_, err := engine.Check(t.Context(), th, twice)
		if outside := (*check.OutsideLanguage)(nil); !errors.As(err, &outside) || outside.A == nil || outside.B == nil {
			t.Errorf("%s: %v", engine.Name(), err)
		}
	}
}
