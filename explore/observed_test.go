package explore_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
)

// TestAnyThreadsByTheory proves what a theory says, by observers that are made of it: the same as by a
// reference.
func TestAnyThreadsByTheory(t *testing.T) {
	t.Parallel()
	for _, m := range []mutant{
		{of: lazySet, want: explore.Proved},
		{of: coupledSet, want: explore.Proved},
		{of: harrisSet, want: explore.Proved},
		{lazySet, "a mark of p does not matter", []string{"!p.marked.Load() && ", ""}, explore.Unproved},
		{lazySet, "nobody receives", []string{"//lin:receive before added", "// receive before added"}, explore.Unproved},
		{coupledSet, "p is unlocked too early", []string{"\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n", "\tp = s.head\n\tp.mu.Lock()\n\tc = p.next\n\tp.mu.Unlock()\n\tp.mu.Lock()\n"}, explore.Unproved},
	} {
		t.Run(m.of+" "+m.name, func(t *testing.T) {
			t.Parallel()
			o := provedOptions(m.of, m.write(t), "", 12)
			o.Reference, o.Theory = "", theoryOf(t, m.of)
			r, err := explore.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != m.want {
				t.Errorf("%s, want %s", r.Sentence(), m.want)
			}
		})
	}
}

// TestAnyThreadsWithoutObserver refuses theories that have no observer for any number of operations.
func TestAnyThreadsWithoutObserver(t *testing.T) {
	t.Parallel()
	o := provedOptions(michaelScott, folder(michaelScott), "", 5)
	o.Reference, o.Theory = "", theoryOf(t, michaelScott)
	if _, err := explore.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "each value is added at most once, and values run out: for any number of operations, check the package against a reference (--ref) or a model (--model)") {
		t.Errorf("%v", err)
	}
}

// TestAnyThreadsMemory ends a proof that takes more memory than it may.
func TestAnyThreadsMemory(t *testing.T) {
	t.Parallel()
	o := provedOptions(lazySet, folder(lazySet), "", 0)
	o.Memory = 1 << 20
	if r, err := explore.Run(t.Context(), o); err != nil || r.Verdict != explore.Incomplete || r.Why != "memory ran out" {
		t.Errorf("%+v, %v", r, err)
	}
}
