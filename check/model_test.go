package check_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/reference"
)

// limiter has the methods of theory/testdata/model.theory.yaml.
type limiter struct{}

func (*limiter) Allow(int) bool { return true }
func (*limiter) Tick()          {}

// TestModelHasNoPatterns: whatever needs patterns refuses a theory that is the
// reference itself, in words, instead of taking it for one that admits everything.
func TestModelHasNoPatterns(t *testing.T) {
	th, ctx := historytest.Theory(t, "theory/testdata/model.theory.yaml"), t.Context()
	impl, err := reference.Of(func() *limiter { return &limiter{} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	e := &history.Execution{}
	for name, use := range map[string]func() error{
		"consistent": func() error { _, err := check.Consistent(ctx, th, 2); return err },
		"enumerate":  func() error { _, err := checktest.NewEnumerate(th); return err },
		"counting":   func() error { _, err := checktest.NewCounting(th, 1); return err },
		"clauses":    func() error { _, err := clauses.Compile(th); return err },
		"derive":     func() error { _, err := explain.Derive(ctx, th, e, nil); return err },
		"monitor":    func() error { _, err := monitor.Select(ctx, th, nil); return err },
		"model":      func() error { _, err := wgl.ForTheory(ctx, th, "register"); return err },
		"compare":    func() error { return verify.Compare(ctx, th, impl) },
		"admits":     func() error { _, _, err := th.Sequences().Admits(ctx, nil); return err },
		"auto":       func() error { _, err := check.New(th, check.Options{}); return err },
		"symbolic":   func() error { _, err := check.New(th, check.Options{Engine: "symbolic"}); return err },
		"saturate":   func() error { _, err := check.New(th, check.Options{Engine: "saturate"}); return err },
	} {
		err := use()
		if err == nil || !strings.Contains(err.Error(), "example.com/m/limiter") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
