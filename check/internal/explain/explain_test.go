package explain

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// bySymbolic decides, and counts the operations of what it decides.
type bySymbolic struct {
	Engine
	rules *symbolic.Rules
	ops   int
}

func (b *bySymbolic) Decide(ctx context.Context, e *history.Execution) (logs.Answer, error) {
	b.ops += len(e.Ops)
	if err := b.rules.Validate(e); err != nil {
		return logs.Answer{}, err
	}
	l, err := symbolic.New(ctx, b.rules, e, symbolic.Options{})
	if err != nil {
		return logs.Answer{}, err
	}
	defer l.Close()
	a, err := l.Decide(ctx, e.Events)
	switch {
	case err == nil && a == symbolic.Outside:
		return logs.Answer{Excluded: "outside"}, nil
	case err == nil && a != symbolic.Violation:
		return logs.Answer{Sat: true}, nil
	}
	return logs.Answer{}, err
}

// TestLastMatches: looking at the last matches first changes no result, and there is
// less to decide.
func TestLastMatches(t *testing.T) {
	for _, s := range []historytest.Type{historytest.Queue(), historytest.Stack(), historytest.Register(), historytest.Lock()} {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			th := historytest.Example(t, s.Name)
			g, err := ground.Compile(th, nil)
			if err != nil {
				t.Fatal(err)
			}
			rules, err := clauses.OfPatterns(th)
			if err != nil {
				t.Fatal(err)
			}
			engine := &bySymbolic{rules: symbolic.Compile(rules)}
			x := New(th, g, engine, false)
			compared, quick, slow := 0, 0, 0
			enough := int(testsize.Samples(50))
			for seed := uint64(0); compared < enough && seed < 100*uint64(enough); seed++ {
				r := rand.New(rand.NewPCG(seed, 43))
				e := s.Execution(r, 300, 1+r.IntN(4), 500)
				found, err := logs.Search(t.Context(), e, func(n int) (logs.Answer, error) { return engine.Decide(t.Context(), e.Prefix(n)) })
				if errors.As(err, new(*clauses.LanguageError)) || err == nil && found.Violation == 0 {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				e = e.Prefix(found.Violation)
				left := func(look bool) (*history.Execution, int) {
					engine.ops = 0
					m := &shrinker{ctx: t.Context(), Explainer: x, left: e}
					if err := m.begin(); err != nil {
						t.Fatal(err)
					}
					if look = look && m.enough != nil; look {
						compared++
					} else {
						m.enough, engine.ops = nil, 0
					}
					if err := m.once(); err != nil {
						t.Fatal(err)
					}
					return m.left, engine.ops
				}
				got, fewer := left(true)
				want, more := left(false)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("seed %d: of\n%s\nother operations are left:\n%s", seed, historytest.Text(e), diff)
				}
				quick, slow = quick+fewer, slow+more
			}
			t.Logf("%d compared, %d operations decided instead of %d", compared, quick, slow)
			if compared < enough || quick >= slow {
				t.Errorf("%d compared, %d operations decided instead of %d", compared, quick, slow)
			}
		})
	}
}
