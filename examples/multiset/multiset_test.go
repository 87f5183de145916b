package multiset_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/multiset"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// run records threads that make random calls, interleaved at random; equal
// seeds give equal logs.
func run(t *testing.T, d multiset.Defect, seed uint64, threads, calls int) *record.Log {
	t.Helper()
	rec := record.New(record.Options{Object: "multiset"})
	m := multiset.New(2*threads, rec, d)
	choose := rand.New(rand.NewPCG(seed, 1)).IntN
	var bodies []func(func())
	for p := range threads {
		r := rand.New(rand.NewPCG(seed, uint64(p)+2))
		bodies = append(bodies, func(yield func()) {
			s := m.Session(fmt.Sprint("p", p), yield)
			for range calls {
				x, y := r.IntN(3)+1, r.IntN(3)+1
				switch k := r.IntN(10); {
				case k < 4:
					s.InsertPair(x, y)
				case k < 7:
					s.Remove(x)
				default:
					s.LookUp(x)
				}
				yield()
			}
		})
	}
	testsize.Interleave(choose, bodies...)
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestDefects checks which mode finds which defect in random executions, and
// what it blames: the correct multiset passes, and where only the commit stands
// in the wrong place nothing but the annotation is blamed.
func TestDefects(t *testing.T) {
	const inIO, inView = 1, 2
	for _, tt := range []struct {
		defect multiset.Defect
		finds  int
		blames []refine.Blame // all that may be
	}{
		{multiset.Correct, 0, nil},
		{multiset.FindsUnlocked, inIO | inView, []refine.Blame{refine.Implementation, refine.State, refine.Annotation}},
		{multiset.ValidUnlocked, inIO | inView, []refine.Blame{refine.Implementation, refine.Annotation}},
		{multiset.KeepsSlot, inView, []refine.Blame{refine.State}},
		{multiset.LosesCopy, inIO | inView, []refine.Blame{refine.Implementation, refine.State}},
		{multiset.LooksUnlocked, inIO | inView, []refine.Blame{refine.Implementation, refine.Annotation, refine.State}},
		{multiset.UnlocksEarly, inIO | inView, []refine.Blame{refine.Implementation, refine.Annotation}},
		{multiset.WrongCommit, inIO | inView, []refine.Blame{refine.Annotation}},
	} {
		t.Run(tt.defect.String(), func(t *testing.T) {
			found := 0
			for seed := range uint64(300) {
				if found == tt.finds && seed >= testsize.Samples(300) {
					break
				}
				l := run(t, tt.defect, seed, 3, 8)
				io, view := both(t, l)
				for bit, r := range map[int]refine.Result{inIO: io, inView: view} {
					if r.Verdict == check.Linearizable {
						continue
					}
					found |= bit
					if r.Verdict != check.Violation || !slices.Contains(tt.blames, r.Blame) {
						t.Fatalf("seed %d: %v", seed, r)
					}
				}
			}
			if found != tt.finds {
				t.Errorf("found in modes %b, want %b", found, tt.finds)
			}
		})
	}
}

func both(t *testing.T, l *record.Log) (io, view refine.Result) {
	t.Helper()
	o := multiset.Options()
	view, err := refine.Check(context.Background(), l, multiset.Spec{}, o)
	if err != nil {
		t.Fatal(err)
	}
	o.View = nil
	io, err = refine.Check(context.Background(), l, multiset.Spec{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return io, view
}

// TestBlamesImplementation looks on while a pair is inserted. Some
// interleavings show one element and then not the other, which no order of the
// operations explains; never so if only the commit stands in the wrong place.
func TestBlamesImplementation(t *testing.T) {
	for _, tt := range []struct {
		defect multiset.Defect
		want   bool
	}{
		{multiset.Correct, false},
		{multiset.ValidUnlocked, true},
		{multiset.LooksUnlocked, true},
		{multiset.UnlocksEarly, true},
		{multiset.WrongCommit, false},
	} {
		t.Run(tt.defect.String(), func(t *testing.T) {
			blamed := 0
			for seed := range testsize.Samples(800) {
				rec := record.New(record.Options{})
				m := multiset.New(4, rec, tt.defect)
				testsize.Interleave(inRuns(rand.New(rand.NewPCG(seed, 0))),
					func(yield func()) { m.Session("a", yield).InsertPair(1, 2) },
					func(yield func()) {
						s := m.Session("b", yield)
						for _, x := range []int{1, 2, 1} {
							s.LookUp(x)
						}
					})
				l, err := rec.Log()
				if err != nil {
					t.Fatal(err)
				}
				if io, _ := both(t, l); io.Blame == refine.Implementation {
					blamed++
				}
			}
			if blamed > 0 != tt.want {
				t.Errorf("blamed %d times", blamed)
			}
		})
	}
}

// inRuns chooses threads at random, each for several steps.
func inRuns(r *rand.Rand) func(n int) int {
	now := 0
	return func(n int) int {
		if now >= n || r.IntN(12) == 0 {
			now = r.IntN(n)
		}
		return now
	}
}

// TestLatency measures how many operations are called between the one that
// loses a copy and the one at which that shows.
func TestLatency(t *testing.T) {
	late, never, n := []int{}, 0, 0
	for seed := range testsize.Samples(200) {
		l := run(t, multiset.LosesCopy, seed, 2, 60)
		io, view := both(t, l)
		if view.Verdict != check.Violation {
			continue
		}
		n++
		if view.Op.Method != "insertPair" {
			t.Fatalf("seed %d: view refinement finds it at %s, not at the insertion", seed, view.Op)
		}
		if io.Verdict != check.Violation {
			never++
			continue
		}
		if io.Op.Method == "insertPair" {
			t.Fatalf("seed %d: I/O refinement finds it at %s, before anybody looked", seed, io.Op)
		}
		late = append(late, io.Calls-view.Calls)
	}
	slices.Sort(late)
	t.Logf("%d logs; view refinement: 0 operations; I/O refinement: median %d, 90%% %d, never in %d",
		n, late[len(late)/2], late[len(late)*9/10], never)
	if late[len(late)/2] < 1 {
		t.Errorf("latencies of I/O refinement: %v", late)
	}
}
