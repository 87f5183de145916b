package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/blinktree"
	"github.com/adtinfer/adtinfer/examples/multiset"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

// recorded is a type whose goroutines are recorded. start makes one with a defect, of which
// session is a goroutine's access, for arguments below keys; aside, if there is one, is what
// another goroutine does all the time.
type recorded struct {
	name    string
	keys    int
	defects []string
	start   func(rec *record.Recorder, defect int) (session func(process string, yield func()) calls, aside func(yield func()) func())
	check   func(ctx context.Context, l *record.Log, view bool) (refine.Result, error)
}

type calls struct {
	insert       func(x, y int)
	remove, look func(x int)
}

// random makes a call.
func (c calls) random(r *rand.Rand, keys int) {
	x, y := r.IntN(keys)+1, r.IntN(keys)+1
	switch k := r.IntN(10); {
	case k < 4:
		c.insert(x, y)
	case k < 7:
		c.remove(x)
	default:
		c.look(x)
	}
}

func recordedTypes() []recorded {
	bag := recorded{name: "multiset", keys: 3, check: refined(multiset.Spec{}, multiset.Options())}
	for _, d := range multiset.Defects() {
		bag.defects = append(bag.defects, d.String())
	}
	bag.start = func(rec *record.Recorder, defect int) (func(string, func()) calls, func(func()) func()) {
		m := multiset.New(8, rec, multiset.Defect(defect))
		return func(process string, yield func()) calls {
			s := m.Session(process, yield)
			return calls{func(x, y int) { s.InsertPair(x, y) }, func(x int) { s.Remove(x) }, func(x int) { s.LookUp(x) }}
		}, nil
	}
	tree := recorded{name: "B-link tree", keys: 20, check: refined(blinktree.Spec{}, blinktree.Options())}
	for d := blinktree.Correct; d <= blinktree.StaysAtLookup; d++ {
		tree.defects = append(tree.defects, d.String())
	}
	tree.start = func(rec *record.Recorder, defect int) (func(string, func()) calls, func(func()) func()) {
		t := blinktree.New(rec, blinktree.Defect(defect))
		return func(process string, yield func()) calls {
			s := t.Session(process, yield)
			return calls{s.Insert, func(x int) { s.Delete(x) }, func(x int) { s.Lookup(x) }}
		}, func(yield func()) func() { return t.Session("compressor", yield).Compress }
	}
	return []recorded{bag, tree}
}

// refined checks a log, with a view or without.
func refined[S any](spec refine.Spec[S], o refine.Options) func(context.Context, *record.Log, bool) (refine.Result, error) {
	return func(ctx context.Context, l *record.Log, view bool) (refine.Result, error) {
		o := o
		if !view {
			o.View = nil
		}
		return refine.Check(ctx, l, spec, o)
	}
}

// interleaved records threads of which one moves at a time, chosen at random.
func (t *recorded) interleaved(defect int, seed uint64, threads, n int) (*record.Log, error) {
	rec := record.New(record.Options{})
	session, aside := t.start(rec, defect)
	left := threads
	var bodies []func(func())
	if aside != nil {
		bodies = append(bodies, func(yield func()) {
			for call := aside(yield); left > 0; yield() {
				call()
			}
		})
	}
	for p := range threads {
		bodies = append(bodies, func(yield func()) {
			call, r := session(fmt.Sprint("p", p), yield), rand.New(rand.NewPCG(seed, uint64(p)+2))
			for range n {
				call.random(r, t.keys)
				yield()
			}
			left--
		})
	}
	testsize.Interleave(rand.New(rand.NewPCG(seed, 1)).IntN, bodies...)
	return rec.Log()
}

// refinement compares I/O and view refinement, and measures what recording costs.
func refinement(ctx context.Context, r *report) error {
	logs := at(r.size, [3]int{8, 300, 3000})
	r.section("Time to detection", "%d executions of each defect with three threads, interleaved at random: in how many I/O and view refinement find it, and how many calls\n"+
		"later I/O refinement does, where view refinement does: the median, nine of ten, and in how many never. The paper argues that views find\n"+
		"errors more often and earlier, and has no figures.", logs)
	var rows [][]string
	for _, t := range recordedTypes() {
		for d := range t.defects {
			row, err := t.detections(ctx, d, logs)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", t.name, t.defects[d], err)
			}
			rows = append(rows, row)
		}
	}
	io, view := 0, 0
	for _, row := range rows {
		a, _ := strconv.Atoi(row[2])
		b, _ := strconv.Atoi(row[3])
		io, view = io+a, view+b
	}
	r.finding(fmt.Sprintf("Executions of %d defects in which I/O and view refinement find it", len(rows)-2), "view refinement finds more, and earlier", fmt.Sprintf("%d, %d", io, view))
	r.table([]string{"type", "defect", "I/O", "view", "later, median", "nine of ten", "never", "view blames"}, rows)
	if r.size == seconds {
		return nil
	}
	r.section("Overhead", "Time of a call of the correct types, by two goroutines: as it is with recording compiled out (`-tags adtinfer_norecord`), and recorded\n"+
		"with commits and writes; and time for each call to check the log afterwards. The least of five runs.")
	var costs [2][]cost
	for i, tags := range []string{"adtinfer_norecord", ""} {
		c := exec.CommandContext(ctx, "go", "run", "-tags", tags, "./cmd/experiments", "overhead")
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err == nil {
			err = json.Unmarshal(out, &costs[i])
		}
		if err != nil {
			return err
		}
	}
	rows = nil
	for i, with := range costs[1] {
		plain := costs[0][i]
		rows = append(rows, []string{with.Type, short(plain.Call), short(with.Call), fmt.Sprintf("%.1f", float64(with.Call)/float64(plain.Call)), short(with.IO), short(with.View)})
	}
	r.finding("Recording a multiset and a B-link tree: slowdown", "no figures", rows[0][3]+" and "+rows[1][3]+" times")
	r.table([]string{"type", "a call", "recorded", "factor", "I/O check", "view check"}, rows)
	return nil
}

func (t *recorded) detections(ctx context.Context, defect, logs int) ([]string, error) {
	var found [2]int
	var late []int
	never, blamed := 0, map[refine.Blame]int{}
	for seed := range uint64(logs) {
		l, err := t.interleaved(defect, seed, 3, 40)
		if err != nil {
			return nil, err
		}
		var results [2]refine.Result
		for i, view := range []bool{false, true} {
			if results[i], err = t.check(ctx, l, view); err != nil {
				return nil, err
			}
			if results[i].Verdict == check.Violation {
				found[i]++
			}
		}
		if view := results[1]; view.Verdict == check.Violation {
			blamed[view.Blame]++
		}
		switch io, view := results[0], results[1]; {
		case view.Verdict != check.Violation:
		case io.Verdict != check.Violation:
			never++
		default:
			late = append(late, io.Calls-view.Calls)
		}
	}
	slices.Sort(late)
	row := []string{t.name, t.defects[defect], fmt.Sprint(found[0]), fmt.Sprint(found[1]), "", "", fmt.Sprint(never), ""}
	if len(late) > 0 {
		row[4], row[5] = fmt.Sprint(late[len(late)/2]), fmt.Sprint(late[len(late)*9/10])
	}
	var blames []string
	for _, b := range slices.Sorted(maps.Keys(blamed)) {
		blames = append(blames, fmt.Sprintf("%s %d", b, blamed[b]))
	}
	row[7] = strings.Join(blames, ", ")
	return row, nil
}

// cost is what calls and checks take, each.
type cost struct {
	Type           string
	Call, IO, View time.Duration
}

// overhead prints costs; it is a command of its own, as recording may be compiled out.
func overhead(ctx context.Context, out io.Writer) error {
	var all []cost
	for _, t := range recordedTypes() {
		best := cost{Type: t.name, Call: time.Hour, IO: time.Hour, View: time.Hour}
		for range 5 {
			c, err := t.costs(ctx)
			if err != nil {
				return err
			}
			best.Call, best.IO, best.View = min(best.Call, c.Call), min(best.IO, c.IO), min(best.View, c.View)
		}
		all = append(all, best)
	}
	return json.NewEncoder(out).Encode(all)
}

// costs measures once.
func (t *recorded) costs(ctx context.Context) (c cost, err error) {
	const goroutines, each = 2, 50_000
	rec := record.New(record.Options{})
	session, _ := t.start(rec, 0)
	var wg sync.WaitGroup
	start := time.Now()
	for p := range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			call, r := session(fmt.Sprint("p", p), nil), rand.New(rand.NewPCG(1, uint64(p)))
			for range each {
				call.random(r, t.keys)
			}
		}()
	}
	wg.Wait()
	c.Call = time.Since(start) / (goroutines * each)
	l, err := rec.Log()
	if err != nil {
		return c, err
	}
	for i, took := range []*time.Duration{&c.IO, &c.View} {
		start := time.Now()
		if _, err := t.check(ctx, l, i == 1); err != nil {
			return c, err
		}
		*took = time.Since(start) / (goroutines * each)
	}
	return c, nil
}
