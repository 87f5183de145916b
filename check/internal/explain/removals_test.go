package explain

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

func byHand(tb testing.TB, name string) *theory.Theory {
	tb.Helper()
	t, err := theories.Load(name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// part leaves operations out of an execution as an explainer might: the sets, and
// then the single operations, for which keep is false.
func part(t *testing.T, th *theory.Theory, e *history.Execution, keep func() bool) (*history.Execution, error) {
	t.Helper()
	g, err := ground.Compile(th, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Groups(t.Context(), e)
	if err != nil {
		return nil, err
	}
	kept := make([]bool, len(e.Ops))
	for _, set := range p.Sets {
		stays := keep()
		for _, i := range set {
			kept[i] = stays
		}
	}
	r := removalsOf(th)
	for i := range kept {
		if kept[i] && p.Removable(i, kept, r.readOnly, r.duplicates) {
			kept[i] = keep()
		}
	}
	return p.Restrict(kept), nil
}

// TestRemovals: what may be left out of an execution that is admitted, pending
// operations included, leaves one that is. So a violation that remains of another
// execution is a reason.
func TestRemovals(t *testing.T) {
	n := testsize.Samples(400)
	for _, s := range historytest.Examples() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			admitted, removed := 0, 0
			s.Keyed = false
			for _, th := range []*theory.Theory{historytest.Example(t, s.Name), byHand(t, s.Name)} {
				for seed := range n {
					r := rand.New(rand.NewPCG(seed, 31))
					e := s.Execution(r, 3+r.IntN(6), 1+r.IntN(4), 100)
					if !s.Model.Linearizable(e) {
						continue
					}
					less, err := part(t, th, e, func() bool { return r.IntN(3) > 0 })
					if errors.As(err, new(*clauses.LanguageError)) {
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					if admitted++; len(less.Ops) < len(e.Ops) {
						removed++
					}
					if !s.Model.Linearizable(less) {
						t.Fatalf("seed %d: of\n%s\nthis is left, which is not admitted:\n%s", seed, historytest.Text(e), historytest.Text(less))
					}
				}
			}
			t.Logf("%d admitted, %d of them made smaller", admitted, removed)
			if removed < int(n)/2 {
				t.Errorf("too few: %d of %d", removed, admitted)
			}
		})
	}
}

// TestClosed: which theories are closed under which removals.
func TestClosed(t *testing.T) {
	all, some, none := removals{true, true, true}, removals{true, true, false}, removals{}
	for name, want := range map[string]removals{
		"queue": some, "stack": some, "set": some, "register": all, "lock": some, "semaphore": some, "plainset": none,
	} {
		if got := removalsOf(byHand(t, name)); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	for _, s := range historytest.Examples() {
		if got := removalsOf(historytest.Example(t, s.Name)); got != all {
			t.Errorf("%s, patterns: got %+v", s.Name, got)
		}
	}
}
