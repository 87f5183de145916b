package record_test

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
	"github.com/adtinfer/adtinfer/internal/interleave"
	"github.com/adtinfer/adtinfer/record"
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
	runs := uint64(1000)
	if testing.Short() {
		runs = 200
	}
	verdicts := map[check.Verdict]int{}
	for seed := range runs {
		rec := record.New(record.Options{})
		defect := multiset.Defects()[seed%8]
		view := seed/8%2 == 0
		w, err := record.Watch(rec, multiset.Config(), record.WatchOptions{View: view})
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
		interleave.Run(rand.New(rand.NewPCG(seed, 9)).IntN, threads...)
		onLine, err := w.Stop(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		l, err := rec.Log()
		if err != nil {
			t.Fatal(err)
		}
		checkLog := record.CheckIO[*record.Bag]
		if view {
			checkLog = record.CheckView[*record.Bag]
		}
		offLine, err := checkLog(context.Background(), l, multiset.Config())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(offLine, onLine, cmpopts.IgnoreUnexported(record.Op{}, record.Value{})); d != "" {
			t.Fatalf("seed %d, %s: off line and on line differ:\n%s", seed, defect, d)
		}
		verdicts[offLine.Verdict]++
	}
	if verdicts[check.Violation] < int(runs)/5 || verdicts[check.Linearizable] < int(runs)/5 {
		t.Errorf("the runs are one-sided: %v", verdicts)
	}
	t.Log(verdicts)
}

// TestPolicies runs goroutines that really run at once into a small recorder.
func TestPolicies(t *testing.T) {
	for _, tt := range []struct {
		policy record.Policy
		want   check.Verdict
	}{
		{record.Block, check.Linearizable},
		{record.Spill, check.Linearizable},
	} {
		t.Run(fmt.Sprint(tt.policy), func(t *testing.T) {
			rec := record.New(record.Options{Limit: 4000, Policy: tt.policy})
			w, err := record.Watch(rec, multiset.Config(), record.WatchOptions{View: true, OnViolation: func(r record.Result) { t.Error(r) }})
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
			if err != nil || r.Verdict != tt.want {
				t.Errorf("%v, %v", r, err)
			}
			if w.Lag() != 0 && tt.policy != record.Drop {
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
	rec := record.New(record.Options{Limit: 4 * 1023, Policy: record.Drop})
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
	r, err := record.CheckView(context.Background(), l, multiset.Config())
	if err != nil || r.Verdict != check.Inconclusive || r.Commits == 0 {
		t.Errorf("%v after %d commits, %v", r, r.Commits, err)
	}
}
