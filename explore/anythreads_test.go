package explore_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// proved are algorithms whose policies are proved for any number of goroutines, with two values: with a
// cap on the objects that a goroutine reaches if lists grow, and so many views.
var proved = []struct {
	of    string
	model string // else the reference of sets, or that of compared
	cap   int
	views int64
}{
	{lazySet, "", 0, 12_340},
	{coupledSet, "", 0, 558},
	{optimisticSet, "", 0, 11_838},
	{harrisSet, "", 0, 3_361},
	{"examples/verified/michael", "", 0, 6_335},
	{"examples/verified/vechevcas", "", 0, 1_155},
	{"examples/verified/vechevdcas", "", 0, 617},
	{"examples/verified/hindsight", "", 0, 3_367},
	{"examples/verified/lockfree", "", 0, 2_544},
	{treiberStack, "stack", 6, 2_458},
	{twoLockQueue, "queue", 6, 492},
	{michaelScott, "queue", 5, 4_480},
	{"examples/verified/dglm", "queue", 5, 3_036},
	{"examples/verified/hsy", "stack", 4, 1_635},
	{"examples/verified/unordered", "", 4, 23_801},
	{flaggedCell, "", 0, 6_446},
	{controlledCell, "", 0, 93_492},
}

// provedOptions are those for an algorithm of proved, which is in a folder.
func provedOptions(of, dir, model string, most int) explore.Options {
	o := explore.Options{Dir: dir, Policy: true, AnyThreads: true, Cap: most, Model: model, Bounds: explore.Bounds{Values: 2}}
	if model == "" {
		o.Reference = folder("examples/verified/set")
	}
	for _, c := range compared {
		if c.of == of {
			o.New, o.Reference, o.ReferenceNew = c.new, folder(c.reference), c.referenceNew
		}
	}
	return o
}

// TestUnreached expects no proof from views in which operations never do what they do elsewhere.
func TestUnreached(t *testing.T) {
	t.Parallel()
	for of, text := range map[string]string{
		treiberStack: "the proof never came to the directive at", michaelScott: "raise --cap",
	} {
		r, err := explore.Run(t.Context(), provedOptions(of, folder(of), map[string]string{treiberStack: "stack", michaelScott: "queue"}[of], 1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != explore.Incomplete || !strings.Contains(r.Sentence(), text) {
			t.Errorf("%s: %s: %s", of, r.Verdict, r.Sentence())
		}
	}
}

func TestAnyThreads(t *testing.T) {
	t.Parallel()
	for _, a := range testsize.Some(proved, 4) {
		t.Run(a.of, func(t *testing.T) {
			if strings.HasSuffix(a.of, "rdcss") {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			r, err := explore.Run(t.Context(), provedOptions(a.of, folder(a.of), a.model, a.cap))
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Proved || r.States != a.views {
				t.Errorf("%d views, %d expected: %s", r.States, a.views, r.Sentence())
			}
			for _, n := range r.Notes {
				if a.cap != 4 && strings.Contains(n, "never reached") {
					t.Error(n)
				}
			}
			if capped := strings.Contains(r.Sentence(), fmt.Sprintf("at most %d objects", a.cap)); capped != (a.cap > 0) {
				t.Errorf("the sentence does not say what is capped: %s", r.Sentence())
			}
		})
	}
}

// TestAnyThreadsMutants sees to it that nothing is proved that is wrong: of the algorithms, and of their
// policies.
func TestAnyThreadsMutants(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, a := range testsize.Some(proved, 4) {
		all := map[string]mutant{}
		for _, m := range mutants {
			if m.of == a.of && (m.want == explore.Violated || m.want == explore.Racy || m.want == explore.Faulty) {
				all[m.name] = m
			}
		}
		for _, p := range policies {
			for _, m := range p.mutants {
				if p.of == a.of && (p.new == "" || p.reference != "" && p.fresh == nil) && m.want != explore.Holds && m.want != explore.Livelocked && m.want != explore.Deadlocked {
					all["policy: "+m.name] = mutant{a.of, m.name, m.edits, m.want}
				}
			}
		}
		for _, name := range testsize.Some(slices.Sorted(maps.Keys(all)), 24) {
			m := all[name]
			t.Run(a.of+" "+name, func(t *testing.T) {
				t.Parallel()
				most := a.cap + 1 // some mistakes show in longer lists only
				if a.cap == 0 {
					most = 12 // what is wrong may make lists that grow
				}
				r, err := explore.Run(t.Context(), provedOptions(a.of, m.write(t), a.model, most))
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != explore.Unproved {
					t.Errorf("not unproved, but %s", r.Sentence())
				}
				t.Log(r.Why)
			})
		}
	}
}
