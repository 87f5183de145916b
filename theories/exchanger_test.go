package theories_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// overlapping is a sequence with an order of its own.
type overlapping struct {
	*sequence
	e *history.Execution
}

func (o overlapping) Before(i, j int) bool { return o.e.Before(i, j) }

// exchanges makes a random execution of n exchanges, all of which return: some
// nothing, most what another one offered.
func exchanges(r *rand.Rand, n int) *history.Execution {
	e := &history.Execution{}
	var open []int
	for returned := 0; returned < n; e.Events++ {
		if len(e.Ops) < n && (len(open) == 0 || r.IntN(2) == 0) {
			open = append(open, len(e.Ops))
			id := strconv.Itoa(len(e.Ops) + 1)
			o := history.Operation{ID: id, Call: e.Events, Label: labels("exchange(" + id + ")=>nil")[0]}
			if r.IntN(4) > 0 {
				o.Outcome, o.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(1 + r.IntN(n)))}
			}
			e.Ops = append(e.Ops, o)
			continue
		}
		k := r.IntN(len(open))
		e.Ops[open[k]].Return = e.Events
		open = append(open[:k], open[k+1:]...)
		returned++
	}
	return e
}

// exchanged plays an execution: as soon as two exchanges run that offer what
// the other one returns, and neither has been paired, they swap.
func exchanged(e *history.Execution) bool {
	paired := make([]bool, len(e.Ops))
	for now := range e.Events {
		for i := range e.Ops {
			for j := range i {
				a, b := &e.Ops[i], &e.Ops[j]
				run := a.Call <= now && now < a.Return && b.Call <= now && now < b.Return
				if run && !paired[i] && !paired[j] && len(a.Rets) > 0 && len(b.Rets) > 0 && a.Rets[0] == b.Args[0] && b.Rets[0] == a.Args[0] {
					paired[i], paired[j] = true, true
				}
			}
		}
	}
	for i := range e.Ops {
		if paired[i] != (e.Ops[i].Outcome == history.Some) {
			return false
		}
	}
	return true
}

// TestExchanger: the axioms hold of a history exactly if two by two its
// exchanges can swap while they run.
func TestExchanger(t *testing.T) {
	th := load(t, "exchanger")
	ev, got := evaluate(th), counts{}
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		e := exchanges(r, 1+r.IntN(4))
		theory, model := holds(overlapping{ev.of(labelsOf(e)), e}, ev.axioms), exchanged(e)
		if got.add(theory, model); theory != model {
			t.Fatalf("theory %v, model %v\n%s", theory, model, historytest.Text(e))
		}
	}
	t.Log(got)
	if got.admitted < 2000 || got.histories-got.admitted < 2000 {
		t.Errorf("too one-sided a sample: %v", got)
	}
}

// TestPrintedExchanger: as printed, the formulas let an exchange swap with itself.
func TestPrintedExchanger(t *testing.T) {
	for _, c := range []struct {
		repairs map[string]string
		want    counts
	}{
		{nil, counts{20000, 2082, 6261, 0}},
		{map[string]string{"EXCHANGE": "forall x:Op. outcome(x) != nil -> exists y:Op. x != y & match(y) = x"}, counts{20000, 2082, 0, 0}},
	} {
		th := printed(t, "exchanger")
		repair(t, th, c.repairs)
		ev, got := evaluate(th), counts{}
		for seed := range uint64(20000) {
			r := rand.New(rand.NewPCG(seed, 1))
			e := exchanges(r, 1+r.IntN(4))
			theory := ev.matchableIn(labelsOf(e), "MATCH1", func(s *sequence) formula.Structure { return overlapping{s, e} })
			got.add(theory, exchanged(e))
		}
		if got != c.want {
			t.Errorf("got %#v", got)
		}
	}
}

func labelsOf(e *history.Execution) (ls []history.Label) {
	for i := range e.Ops {
		ls = append(ls, e.Ops[i].Label)
	}
	return ls
}

// swaps makes an execution of n exchanges by some processes: those that run
// together swap now and then, others are told that there was nobody, and one
// answer in spoil is wrong. Some never return.
func swaps(r *rand.Rand, n, processes, spoil int) *history.Execution {
	e := &history.Execution{}
	var running []int
	paired := map[int]bool{}
	for len(e.Ops) < n || len(running) > 0 && r.IntN(2*processes) > 0 {
		switch k := r.IntN(processes); {
		case k >= len(running) && len(e.Ops) < n:
			id := strconv.Itoa(len(e.Ops) + 1)
			running = append(running, len(e.Ops))
			e.Ops = append(e.Ops, history.Operation{ID: id, Label: labels("exchange(" + id + ")=>nil")[0], Call: e.Events, Return: history.NoReturn})
			e.Events++
		case k >= len(running):
		case !paired[running[k]] && r.IntN(4) > 0:
			if j := running[r.IntN(len(running))]; !paired[j] && j != running[k] {
				a, b := &e.Ops[j], &e.Ops[running[k]]
				a.Outcome, a.Rets, b.Outcome, b.Rets = history.Some, b.Args, history.Some, a.Args
				paired[j], paired[running[k]] = true, true
			}
		default:
			e.Ops[running[k]].Return = e.Events
			e.Events++
			running = slices.Delete(running, k, k+1)
		}
	}
	for i := range e.Ops {
		switch o := &e.Ops[i]; {
		case !o.Completed():
			o.Outcome, o.Rets = history.Pending, nil
		case spoil > 0 && r.IntN(spoil) == 0:
			o.Outcome, o.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(1 + r.IntN(len(e.Ops)+1)))}
		}
	}
	return e
}

// swappable decides directly: whatever an exchange returned was offered by another
// one that overlaps with it, and that returned what this one offered, or is
// pending and meant for nobody else.
func swappable(e *history.Execution) bool {
	offers, taken := map[history.Value]int{}, map[history.Value]bool{}
	for i := range e.Ops {
		offers[e.Ops[i].Args[0]] = i
	}
	for x := range e.Ops {
		o := &e.Ops[x]
		if !o.Completed() || o.Outcome == history.Nil {
			continue
		}
		y, offered := offers[o.Rets[0]]
		switch {
		case !offered || y == x || taken[o.Rets[0]] || e.Before(x, y) || e.Before(y, x):
			return false
		case e.Ops[y].Completed() && (e.Ops[y].Outcome == history.Nil || e.Ops[y].Rets[0] != o.Args[0]):
			return false
		}
		taken[o.Rets[0]] = true
	}
	return true
}

// TestExchangerEngines: symbolic, the procedure for exchangers, and auto with them, decide
// as the direct way does, by the shortest prefix; all others refuse them and say who does
// not.
func TestExchangerEngines(t *testing.T) {
	th := load(t, "exchanger")
	for _, name := range []string{"symbolic", "monitor", "auto"} {
		engine, samples := checktest.By{Engine: name}, testsize.Samples(150)
		if name == "monitor" {
			samples = testsize.Samples(10_000)
		}
		ready := checktest.Prepare(t, engine, th)
		counts, pending := map[check.Verdict]int{}, 0
		for seed := range samples {
			r := rand.New(rand.NewPCG(seed, 2))
			e := swaps(r, 1+r.IntN(12), 1+r.IntN(6), 12)
			want := 0
			for n := 1; n <= e.Events && want == 0; n++ {
				if !swappable(e.Prefix(n)) {
					want = n
				}
			}
			got, err := ready.Check(t.Context(), th, e)
			if err != nil {
				t.Fatal(err)
			}
			if got.Prefix != want || (got.Verdict == check.Linearizable) != (want == 0) || want > 0 && got.Verdict != check.Violation {
				t.Fatalf("seed %d, %s: %+v, want %d\n%s", seed, engine.Name(), got, want, historytest.Text(e))
			}
			if counts[got.Verdict]++; want > 0 && hasPending(e.Prefix(want)) {
				pending++
			}
		}
		t.Logf("%s: %v, %d violations with pending operations", engine.Name(), counts, pending)
		if n := int(samples); min(counts[check.Violation], counts[check.Linearizable]) < n/5 || pending < n/30 {
			t.Errorf("%s: too one-sided a sample", engine.Name())
		}
	}
	for _, engine := range checktest.All() {
		if name := engine.Name(); name != "auto" && name != "symbolic" && name != "monitor" {
			_, err := engine.Check(t.Context(), th, swaps(rand.New(rand.NewPCG(1, 1)), 3, 2, 0))
			if err == nil || !strings.Contains(err.Error(), "engine symbolic takes") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestExchangerLong: many exchanges of many processes.
func TestExchangerLong(t *testing.T) {
	th := load(t, "exchanger")
	engine := checktest.Prepare(t, checktest.By{Engine: "auto"}, th)
	for _, c := range []struct{ ops, processes int }{{100, 3}, {300, 4}, {300, 8}, {10_000, 32}, {100_000, 8}} {
		for _, spoil := range []int{0, 100} {
			e := swaps(rand.New(rand.NewPCG(3, uint64(spoil))), c.ops, c.processes, spoil)
			start := time.Now()
			r, err := engine.Check(t.Context(), th, e)
			t.Logf("%d exchanges of %d processes: %s after %v", c.ops, c.processes, r.Verdict, time.Since(start))
			if err != nil || (r.Verdict == check.Linearizable) != swappable(e) {
				t.Errorf("%d exchanges of %d processes: %+v", c.ops, c.processes, r)
			}
		}
	}
}
