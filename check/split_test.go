package check_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// mergedAnyhow merges reports in random groups and in random order.
func mergedAnyhow(r *rand.Rand, all []check.Report) check.Report {
	all = slices.Clone(all)
	for len(all) > 1 {
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		last := len(all) - 1
		all[last-1] = check.Merge(all[last-1], all[last])
		all = all[:last]
	}
	return all[0]
}

// reportByKey is the report on a log whose keys are checked on their own.
func reportByKey(t *testing.T, c *check.Checker, e *history.Execution, workers int, shard check.Shard) (found check.Report) {
	t.Helper()
	b := &check.Batch{Checker: c, Parallel: workers, ByKey: true, Shard: shard}
	log := stringSource("x.log", textOf(t, e))
	if err := b.Run(t.Context(), slices.Values([]check.Source{log}), func(r check.Report) { found = r }); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSplitProducts: the keys of a log, checked on their own, have together the verdict
// and the prefix that trying everything finds, in whatever order and groups they are
// merged.
func TestSplitProducts(t *testing.T) {
	testsize.NeedsLong(t)
	violations, pending, several, n := 0, 0, 0, testsize.Samples(10_000)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 1919))
		typ, _ := historytest.RandomProduct(r, theory.ByKey)
		typ.Lost = []int{0, 6}[seed%2]
		c, err := check.New(typ.Theory, check.Options{Explain: seed%4 == 0})
		if err != nil {
			t.Fatal(err)
		}
		e := typ.Execution(r, 2+r.IntN(10), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
		if e.Events == 0 {
			continue
		}
		want := typ.Model.ShortestViolation(e)
		reports, err := c.OfKeys(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		once, again := mergedAnyhow(r, reports), mergedAnyhow(r, reports)
		if once.Result.Prefix != want || (once.Result.Verdict == check.Violation) != (want > 0) || once.Result.Events != e.Events || !reflect.DeepEqual(once, again) {
			historytest.Fatal(t, e, "seed %d: %+v and %+v; want %d", seed, once, again, want)
		}
		got := reportByKey(t, c, e, 1+r.IntN(3), check.Shard{})
		if got.Err != nil || got.Result.Prefix != want || got.Result.Verdict != once.Result.Verdict || got.Result.Events != e.Events {
			historytest.Fatal(t, e, "seed %d: %+v; want %d", seed, got, want)
		}
		if x := got.Explanation; want > 0 && seed%4 == 0 && (x == nil || x.Prefix != want) {
			historytest.Fatal(t, e, "seed %d: explained by %+v", seed, x)
		}
		var shards []check.Report
		for i, n := 1, 1+r.IntN(4); i <= n; i++ {
			shards = append(shards, reportByKey(t, c, e, 1+r.IntN(2), check.Shard{I: i, N: n}))
		}
		if m := mergedAnyhow(r, shards); m.Err != nil || m.Result.Prefix != want || m.Result.Verdict != got.Result.Verdict || m.Result.Events != e.Events || m.Ops != len(e.Ops) {
			historytest.Fatal(t, e, "seed %d: of %d shards %+v; want %d", seed, len(shards), m, want)
		}
		if want > 0 {
			violations++
		}
		if slices.ContainsFunc(e.Ops, func(o history.Operation) bool { return !o.Completed() }) {
			pending++
		}
		if len(reports) > 1 {
			several++
		}
	}
	mixed(t, violations, n)
	mixed(t, pending, n)
	if several < int(n)/2 {
		t.Errorf("%d of %d logs have several keys", several, n)
	}
}

// TestSplitLikeWhole: reports by key say what those of whole logs do: verdict, prefix,
// place, and the operations that explain a violation.
func TestSplitLikeWhole(t *testing.T) {
	th, typ := named(t)
	c, err := check.New(th, check.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	violations, n := 0, testsize.Samples(2_000)
	for seed := range n {
		e := ofType(typ, seed)
		if e.Events == 0 {
			continue
		}
		var whole check.Report
		log := stringSource("x.log", textOf(t, e))
		if err := (&check.Batch{Checker: c}).Run(t.Context(), slices.Values([]check.Source{log}), func(r check.Report) { whole = r }); err != nil {
			t.Fatal(err)
		}
		got := reportByKey(t, c, e, 2, check.Shard{})
		if got.Result.Verdict != whole.Result.Verdict || got.Result.Prefix != whole.Result.Prefix || got.At != whole.At ||
			got.Ops != whole.Ops || !slices.Equal(got.Result.Patterns, whole.Result.Patterns) || !reflect.DeepEqual(got.Coverage, whole.Coverage) {
			historytest.Fatal(t, e, "seed %d:\n%+v by key,\n%+v as a whole", seed, got, whole)
		}
		if whole.Result.Verdict == check.Violation {
			violations++
			if x, y := got.Explanation, whole.Explanation; x.Execution.String() != y.Execution.String() || !slices.Equal(x.Keys, y.Keys) || x.Prefix != y.Prefix {
				historytest.Fatal(t, e, "seed %d:\n%+v by key,\n%+v as a whole", seed, x, y)
			}
		}
	}
	mixed(t, violations, n)
}

// TestMerge: whatever reports are, the order and the groups in which they are merged do
// not matter; a violation that others could precede says so.
func TestMerge(t *testing.T) {
	for seed := range testsize.Samples(10_000) {
		r := rand.New(rand.NewPCG(seed, 20))
		verdicts := []check.Verdict{check.Violation, check.Linearizable, check.NoViolationFound, check.Inconclusive}
		var all []check.Report
		unsure, least := false, 0
		for i := range 1 + r.IntN(5) {
			x := check.Report{Ops: 1, Result: check.Result{Verdict: verdicts[r.IntN(4)], Events: 2, Parts: 1, Detail: []string{"", "why"}[r.IntN(2)]}}
			switch {
			case r.IntN(8) == 0:
				x.Err, x.Result = fmt.Errorf("error %d", r.IntN(3)), check.Result{}
				unsure = true
			case x.Result.Verdict == check.Violation:
				x.Result.Prefix = 10*(1+r.IntN(20)) + i
				if least == 0 || x.Result.Prefix < least {
					least = x.Result.Prefix
				}
			default:
				unsure = unsure || x.Result.Verdict != check.Linearizable
			}
			all = append(all, x)
		}
		a, b := mergedAnyhow(r, all), mergedAnyhow(r, all)
		if !reflect.DeepEqual(a, b) || a.Ops != len(all) || a.Result.Prefix != least {
			t.Fatalf("seed %d: %+v\n%+v\n%+v; want prefix %d", seed, all, a, b, least)
		}
		if said := strings.Contains(a.Result.Detail, "not decided"); least > 0 && said != unsure {
			t.Fatalf("seed %d: %+v\n%+v", seed, all, a)
		}
	}
}

// TestSplitRefuses: theories whose operations have no key each are refused with the
// reason, before a log is opened.
func TestSplitRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	all, _ := historytest.RandomProduct(r, theory.ByKey, theory.InAll)
	sum, _ := historytest.RandomProduct(r, theory.ByKey, theory.SumOfAll)
	for want, th := range map[string]*theory.Theory{
		"only a theory with a product": build(t, queue), "operations of method tick": all.Theory, "operations of method size": sum.Theory,
	} {
		c, err := check.New(th, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		opened := errors.New("opened")
		err = (&check.Batch{Checker: c, ByKey: true}).Run(t.Context(), func(func(check.Source) bool) { t.Error(opened) }, func(check.Report) {})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestSplitRecorded: recorded logs of queues, some of them together as one log of several
// queues that names them, have by key the verdicts that they have alone.
func TestSplitRecorded(t *testing.T) {
	testsize.NeedsLong(t)
	th, _ := named(t)
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one := historytest.Example(t, "queue")
	recordings := slices.DeleteFunc(historytest.Recordings(t), func(r historytest.Recording) bool { return r.Type() != "queue" })
	r := rand.New(rand.NewPCG(1, 19))
	r.Shuffle(len(recordings), func(i, j int) { recordings[i], recordings[j] = recordings[j], recordings[i] })
	logs, violations := uint64(0), 0
	for some := range slices.Chunk(recordings, 3) {
		whole, want := &history.Execution{}, 0
		var left []*history.Execution
		var at [][]int // the events of each in the whole
		var order []int
		for i, own := range some {
			e := own.Read(t, one)
			left, at = append(left, e), append(at, make([]int, e.Events))
			for range e.Events {
				order = append(order, i)
			}
		}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		next := make([]int, len(some))
		for n, i := range order {
			at[i][next[i]] = n
			next[i]++
		}
		for i, e := range left {
			for _, o := range e.Ops {
				o.ID = fmt.Sprintf("%d-%s", i, o.ID)
				o.Args = append([]history.Value{history.Value(fmt.Sprint("queue ", i))}, o.Args...)
				if o.Call = at[i][o.Call]; o.Completed() {
					o.Return = at[i][o.Return]
				}
				whole.Ops = append(whole.Ops, o)
			}
			if p := some[i].Prefix; p > 0 && (want == 0 || at[i][p-1]+1 < want) {
				want = at[i][p-1] + 1
			}
		}
		slices.SortFunc(whole.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
		whole.Events = len(order)
		logs++
		if want > 0 {
			violations++
		}
		for _, workers := range []int{1, 2} {
			got := reportByKey(t, c, whole, workers, check.Shard{})
			if got.Err != nil || got.Result.Prefix != want || (got.Result.Verdict == check.Violation) != (want > 0) || got.Result.Events != whole.Events {
				t.Fatalf("%v: %+v, want %d", some, got, want)
			}
		}
	}
	mixed(t, violations, logs)
	t.Logf("%d recordings, %d logs, %d violations", len(recordings), logs, violations)
}

// TestSplitHot: keys with few operations at a time are followed; if there are so many that
// this takes long the log is read as a whole, and a search decides the keys.
func TestSplitHot(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		if typ.Name != "store" {
			continue
		}
		c, err := check.New(typ.Theory, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for processes, want := range map[int]string{3: "auto: configurations", 90: "auto: wgl"} {
			e := typ.Execution(rand.New(rand.NewPCG(1, 24)), 4_000, processes, 0)
			got := reportByKey(t, c, e, 2, check.Shard{})
			if got.Err != nil || got.Result.Verdict != check.Linearizable || got.Result.Engine != want || got.Ops != len(e.Ops) {
				t.Errorf("%d processes: %+v, want engine %q", processes, got, want)
			}
		}
	}
}
