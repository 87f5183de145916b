//go:build !adtinfer_norecord

package refine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/multiset"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// use makes random calls of a multiset.
func use(s *multiset.Session, r *rand.Rand, calls int, yield func()) {
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
}

// TestOnLineAgrees records multisets, right and wrong, while they are watched,
// and compares the verdicts with those on the log.
func TestOnLineAgrees(t *testing.T) {
	runs := testsize.Samples(1000)
	verdicts := map[check.Verdict]int{}
	for seed := range runs {
		rec := record.New(record.Options{})
		defect := multiset.Defects()[seed%8]
		o := multiset.Options()
		if seed/8%2 != 0 {
			o.View = nil
		}
		w, err := refine.Watch(rec, multiset.Spec{}, o)
		if err != nil {
			t.Fatal(err)
		}
		m := multiset.New(6, rec, defect)
		var threads []func(func())
		for p := range 3 {
			threads = append(threads, func(yield func()) {
				use(m.Session(fmt.Sprint("p", p), yield), rand.New(rand.NewPCG(seed, uint64(p))), 8, yield)
			})
		}
		testsize.Interleave(rand.New(rand.NewPCG(seed, 9)).IntN, threads...)
		onLine, err := w.Stop(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		offLine, err := refine.Check(context.Background(), l, multiset.Spec{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(offLine, onLine, cmpopts.IgnoreUnexported(refine.Op{})); d != "" {
			t.Fatalf("seed %d, %s: off line and on line differ:\n%s", seed, defect, d)
		}
		verdicts[offLine.Verdict]++
	}
	if verdicts[check.Violation] < int(runs)/5 || verdicts[check.Linearizable] < int(runs)/5 {
		t.Errorf("the runs are one-sided: %v", verdicts)
	}
	t.Log(verdicts)
}

// TestLimit runs goroutines that really run at once into a small recorder.
func TestLimit(t *testing.T) {
	for _, spill := range []bool{false, true} {
		t.Run(fmt.Sprintf("spill=%t", spill), func(t *testing.T) {
			rec := record.New(record.Options{Limit: 4000})
			o := multiset.Options()
			o.Spill, o.OnViolation = spill, func(r refine.Result) { t.Error(r) }
			w, err := refine.Watch(rec, multiset.Spec{}, o)
			if err != nil {
				t.Fatal(err)
			}
			m := multiset.New(8, rec, multiset.Correct)
			var wg sync.WaitGroup
			for p := range 4 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					use(m.Session(fmt.Sprint("p", p), runtime.Gosched), rand.New(rand.NewPCG(1, uint64(p))), 700, runtime.Gosched)
				}()
			}
			wg.Wait()
			r, err := w.Stop(context.Background())
			if err != nil || r.Verdict != check.Linearizable {
				t.Errorf("%v, %v", r, err)
			}
			if w.Lag() != 0 {
				t.Errorf("lag %d after the end", w.Lag())
			}
			if _, err := rec.Log(); err == nil {
				t.Error("a recorder that forgets still has a log")
			}
			t.Log(r)
		})
	}
}

// TestDrop fills a recorder that has room for part of a run.
func TestDrop(t *testing.T) {
	rec := record.New(record.Options{Limit: 4 * 1023, Drop: true})
	m := multiset.New(8, rec, multiset.Correct)
	var wg sync.WaitGroup
	for p := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			use(m.Session(fmt.Sprint("p", p), runtime.Gosched), rand.New(rand.NewPCG(1, uint64(p))), 500, runtime.Gosched)
		}()
	}
	wg.Wait()
	l, err := rec.Log()
	if err != nil {
		t.Fatal(err)
	}
	r, err := refine.Check(context.Background(), l, multiset.Spec{}, multiset.Options())
	if err != nil || r.Verdict != check.Inconclusive || r.Commits == 0 {
		t.Errorf("%v after %d commits, %v", r, r.Commits, err)
	}
}
