package blinktree_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/blinktree"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// calls makes random calls on keys from 0 to keys-1; between any two of them
// other goroutines may take over.
func calls(s *blinktree.Session, r *rand.Rand, n, keys int, yield func()) {
	for range n {
		key := r.IntN(keys)
		switch k := r.IntN(10); {
		case k < 4:
			s.Insert(key, r.IntN(1000))
		case k < 7:
			s.Delete(key)
		default:
			s.Lookup(key)
		}
		yield()
	}
}

// run records threads that make random calls while one compresses, interleaved
// at random; equal seeds give equal logs.
func run(t *testing.T, d blinktree.Defect, seed uint64, threads, n, keys int) *record.Log {
	t.Helper()
	rec := record.New(record.Options{Object: "tree"})
	tree := blinktree.New(rec, d)
	left := threads
	bodies := []func(func()){func(yield func()) {
		for s := tree.Session("compressor", yield); left > 0; yield() {
			s.Compress()
		}
	}}
	for p := range threads {
		r := rand.New(rand.NewPCG(seed, uint64(p)+2))
		bodies = append(bodies, func(yield func()) {
			calls(tree.Session(fmt.Sprint("p", p), yield), r, n, keys, yield)
			left--
		})
	}
	testsize.Interleave(rand.New(rand.NewPCG(seed, 1)).IntN, bodies...)
	return logOf(t, rec)
}

func logOf(t *testing.T, rec *record.Recorder) *record.Log {
	t.Helper()
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func both(t *testing.T, l *record.Log, o refine.Options) (io, view refine.Result) {
	t.Helper()
	view, err := refine.Check(context.Background(), l, blinktree.Spec{}, o)
	if err != nil {
		t.Fatal(err)
	}
	o.View = nil
	io, err = refine.Check(context.Background(), l, blinktree.Spec{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return io, view
}

// TestDefects checks which mode finds which defect at which operations, and what
// it blames. Three defects spoil the tree: view refinement sees that at the
// operation that does it, I/O refinement when somebody looks. The fourth one is
// in looking.
func TestDefects(t *testing.T) {
	for _, tt := range []struct {
		defect  blinktree.Defect
		spoiler string // the method that spoils the tree
		seeds   uint64
	}{
		{blinktree.StaysAtInsert, "insert", 100},
		{blinktree.InsertsTwice, "insert", 150},
		{blinktree.MergesStale, "compress", 400},
		{blinktree.StaysAtLookup, "", 100},
	} {
		t.Run(tt.defect.String(), func(t *testing.T) {
			inIO, inView, blames := 0, 0, map[refine.Blame]int{}
			for seed := range testsize.Samples(2 * tt.seeds) {
				o := blinktree.Options()
				o.NoTriage = inIO > 5 // that is what takes long
				io, view := both(t, run(t, tt.defect, seed, 3, 40, 20), o)
				for _, r := range []refine.Result{io, view} {
					blames[r.Blame]++
					if r.Verdict == check.Inconclusive {
						t.Fatalf("seed %d: %v", seed, r)
					}
				}
				if io.Verdict == check.Violation {
					inIO++
					if m := io.Op.Method; m != "lookup" && m != "delete" {
						t.Fatalf("seed %d: I/O refinement finds it at %s, before anybody looked", seed, io.Op)
					}
					if view.Verdict != check.Violation || view.Entry > io.Entry {
						t.Fatalf("seed %d: view refinement is later than I/O refinement:\n%v\n%v", seed, view, io)
					}
				}
				if viewsDiffer(view) {
					inView++
					if view.Op.Method != tt.spoiler {
						t.Fatalf("seed %d: view refinement finds it at %s", seed, view)
					}
				}
			}
			t.Logf("I/O refinement finds it in %d executions, the views differ in %d; blame: %v", inIO, inView, blames)
			if inIO == 0 || blames[refine.Implementation] == 0 || (inView > 0) != (tt.spoiler != "") {
				t.Error("that is not as it should be")
			}
		})
	}
}

// TestCorrect checks that nothing is found in the tree without a defect,
// interleaved at random.
func TestCorrect(t *testing.T) {
	for seed := range testsize.Samples(300) {
		io, view := both(t, run(t, blinktree.Correct, seed, 3, 40, 25), blinktree.Options())
		if io.Verdict != check.Linearizable || view.Verdict != check.Linearizable {
			t.Fatalf("seed %d: %v; %v", seed, io, view)
		}
	}
}

// TestGoroutines runs the tree without a defect in goroutines that nobody
// interleaves, and looks at it afterwards.
func TestGoroutines(t *testing.T) {
	for round := range testsize.Samples(10) {
		rec := record.New(record.Options{})
		tree := blinktree.New(rec, blinktree.Correct)
		var workers, compressor sync.WaitGroup
		done := make(chan struct{})
		for p := range 4 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				calls(tree.Session(fmt.Sprint("p", p), nil), rand.New(rand.NewPCG(round, uint64(p))), 2000, 200, func() {})
			}()
		}
		compressor.Add(1)
		go func() {
			defer compressor.Done()
			for s := tree.Session("compressor", nil); ; s.Compress() {
				select {
				case <-done:
					return
				default:
				}
			}
		}()
		workers.Wait()
		close(done)
		compressor.Wait()
		_, view := both(t, logOf(t, rec), blinktree.Options())
		if view.Verdict != check.Linearizable {
			t.Fatal(view)
		}
	}
}

// TestMap compares the tree with a map, one operation after the other.
func TestMap(t *testing.T) {
	testsize.Check(t, 1, func(t *rapid.T) {
		s := blinktree.New(record.New(record.Options{}), blinktree.Correct).Session("p", nil)
		plain := map[int]int{}
		key := rapid.IntRange(-30, 30)
		t.Repeat(map[string]func(*rapid.T){
			"insert": func(t *rapid.T) {
				k, d := key.Draw(t, "key"), rapid.Int().Draw(t, "data")
				s.Insert(k, d)
				plain[k] = d
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "key")
				_, want := plain[k]
				if got := s.Delete(k); got != want {
					t.Fatalf("delete %d: %t, want %t", k, got, want)
				}
				delete(plain, k)
			},
			"compress": func(t *rapid.T) { s.Compress() },
			"": func(t *rapid.T) {
				found := map[int]int{}
				for k := -30; k <= 30; k++ {
					if d, ok := s.Lookup(k); ok {
						found[k] = d
					}
				}
				if !maps.Equal(found, plain) {
					t.Fatalf("the tree has %v, the map %v", found, plain)
				}
			},
		})
	})
}

// TestLatency measures how many operations are called between the one that
// spoils the tree and the one at which that shows.
func TestLatency(t *testing.T) {
	for _, d := range []blinktree.Defect{blinktree.StaysAtInsert, blinktree.InsertsTwice, blinktree.MergesStale} {
		t.Run(d.String(), func(t *testing.T) {
			late, never, n := []int{}, 0, 0
			o := blinktree.Options()
			o.NoTriage = true
			for seed := range testsize.Samples(400) {
				io, view := both(t, run(t, d, seed, 3, 100, 20), o)
				if !viewsDiffer(view) {
					continue
				}
				n++
				if io.Verdict != check.Violation {
					never++
					continue
				}
				late = append(late, io.Calls-view.Calls)
			}
			slices.Sort(late)
			t.Logf("%d logs; view refinement: 0 operations; I/O refinement: median %d, 90%% %d, never in %d",
				n, late[len(late)/2], late[len(late)*9/10], never)
			if late[len(late)/2] < 1 {
				t.Errorf("latencies of I/O refinement: %v", late)
			}
		})
	}
}

// viewsDiffer reports whether that is what is wrong.
func viewsDiffer(r refine.Result) bool { return strings.HasPrefix(r.Reason, "the views differ") }
