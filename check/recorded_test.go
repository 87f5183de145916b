package check_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestRecordedByEngine compares the complete engines with what is known of the
// small recorded histories.
func TestRecordedByEngine(t *testing.T) {
	theories := containers(t)
	models, oracles := map[string]checking{}, readyEach(t, oracle{}, theories)
	for object, th := range theories {
		models[object] = ready(t, by{Engine: "wgl", Model: strings.TrimPrefix(object, "atomic-")}, th)
	}
	undecided := map[string]int{}
	for _, row := range historytest.Recordings(t) {
		if row.Ops >= 400 {
			continue
		}
		th := theories[row.Object]
		e := row.Read(t, th)
		for _, engine := range []checking{models[row.Object], oracles[row.Object]} {
			ctx, cancel := context.WithCancel(t.Context())
			if engine.Name() == "enumerate" { // which may take forever
				ctx, cancel = context.WithTimeout(t.Context(), time.Duration(testsize.Samples(100))*time.Millisecond)
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
	}
	t.Logf("out of time: %v", undecided)
	if undecided["wgl"] > 0 {
		t.Errorf("wgl ran out of time %d times", undecided["wgl"])
	}
}

func TestBadOptions(t *testing.T) {
	th := build(t, queue)
	e := historytest.Log(t, th, "[1] call add(1)", "[1] return")
	for _, o := range []check.Options{{Engine: "wgl", Model: "queue", LRU: -1}, {Engine: "wgl"}, {Engine: "wgl", Model: "quue"}, {Engine: "enumerate"}, {Engine: "counting"}, {Engine: "smybolic"}} {
		if _, err := by(o).Check(t.Context(), th, e); err == nil || !strings.HasPrefix(err.Error(), "check: ") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	twice := historytest.Log(t, th, "[1] call add(1)", "[1] return", "[2] call add(1)", "[2] return")
	for _, engine := range []checking{oracle{}, by{}} {
		_, err := engine.Check(t.Context(), th, twice)
		if outside := (*check.OutsideLanguage)(nil); !errors.As(err, &outside) || outside.A == nil || outside.B == nil {
			t.Errorf("%s: %v", engine.Name(), err)
		}
	}
}
