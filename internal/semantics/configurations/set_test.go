package configurations_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// event is one of an execution's, by operation.
type event struct {
	at, op int
	call   bool
}

func eventsOf(e *history.Execution) (all []event) {
	for i := range e.Ops {
		all = append(all, event{e.Ops[i].Call, i, true})
		if e.Ops[i].Completed() {
			all = append(all, event{e.Ops[i].Return, i, false})
		}
	}
	slices.SortFunc(all, func(a, b event) int { return a.at - b.at })
	return all
}

// follow counts the events of the shortest violating prefix, 0 if there is none.
func follow(t *testing.T, s *theory.Spec, e *history.Execution) (int, error) {
	t.Helper()
	m, err := configurations.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	set := configurations.New(m)
	for _, ev := range eventsOf(e) {
		o := e.Ops[ev.op]
		if ev.call {
			o.Outcome, o.Rets = history.Pending, nil
			set.Call(o.ID, &o.Label)
			continue
		}
		ok, err := set.Return(o.ID, o.Outcome, o.Rets...)
		if err != nil {
			return 0, err
		}
		if !ok {
			return ev.at + 1, nil
		}
		if set.Live() == 0 {
			t.Fatal("no configuration and no violation")
		}
	}
	return 0, nil
}

// byKeys is follow, but with Keys. Some answers are known at the calls, if r is not nil.
func byKeys(t *testing.T, s *theory.Spec, e *history.Execution, r *rand.Rand) (at int, exact bool, err error) {
	t.Helper()
	keys, err := configurations.NewKeys(s)
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	for _, ev := range eventsOf(e) {
		o := e.Ops[ev.op]
		if ev.call {
			if r == nil || r.IntN(2) == 0 {
				o.Outcome, o.Rets = history.Pending, nil
			}
			keys.Call(o.ID, &o.Label)
			running++
			continue
		}
		ok, err := keys.Return(o.ID, &o.Label)
		if err != nil {
			return 0, false, err
		}
		if !ok {
			return ev.at + 1, keys.Exact(&o.Label), nil
		}
		if running--; keys.Live() < running {
			t.Fatalf("%d operations run, and %d are live", running, keys.Live())
		}
	}
	return 0, true, nil
}

func execution(typ historytest.Described, seed uint64) *history.Execution {
	r := rand.New(rand.NewPCG(seed, 1))
	if seed%2 == 0 {
		typ.Lost = 4
	}
	return typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
}

// TestFollow: the set is empty with the last event of the shortest violation, as a
// search that tries everything says.
func TestFollow(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			violations, open, early := 0, 0, 0
			n := testsize.Samples(2_500)
			for seed := range n {
				e := execution(typ, seed)
				want := typ.Model.ShortestViolation(e)
				got, err := follow(t, &typ.Theory.Spec, e)
				own, exact, bad := byKeys(t, &typ.Theory.Spec, e, nil)
				if (bad != nil) != (err != nil) || own != got || bad == nil && !exact {
					historytest.Fatal(t, e, "seed %d: by keys a violation after %d events, %v; at once %d, %v", seed, own, bad, got, err)
				}
				if err != nil && strings.Contains(err.Error(), "only its answer says what it did") && typ.Name == "ticket" {
					open++
					continue
				}
				if err != nil || got != want {
					historytest.Fatal(t, e, "seed %d: a violation after %d events, %v; want %d", seed, got, err, want)
				}
				ahead, exact, err := byKeys(t, &typ.Theory.Spec, e, rand.New(rand.NewPCG(seed, 2)))
				if err != nil || ahead > want || (ahead > 0) != (want > 0) || exact && ahead != want {
					historytest.Fatal(t, e, "seed %d: with answers that are known a violation after %d events (exact: %t), %v; want %d", seed, ahead, exact, err, want)
				}
				if ahead < want {
					early++
				}
				if want > 0 {
					violations++
				}
			}
			if v := uint64(violations); v < n/20 || v > n-n/20 {
				t.Errorf("%d of %d are violations", violations, n)
			}
			t.Logf("%d violations, %d of them seen early, %d open, of %d", violations, early, open, n)
		})
	}
}

// TestManyStates: an execution that goes through more states than a set remembers, and in
// which something always runs, has the verdict and the prefix that a search finds.
func TestManyStates(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		if typ.Name != "sum" {
			continue
		}
		c, err := check.New(typ.Theory, check.Options{Engine: "wgl"})
		if err != nil {
			t.Fatal(err)
		}
		typ.Methods = slices.DeleteFunc(typ.Methods, func(m historytest.Method) bool { return m.Name == "clear" })
		for seed := range testsize.Samples(1_000) {
			r := rand.New(rand.NewPCG(seed, 5))
			e := typ.Execution(r, 300, 4, 0)
			for i := len(e.Ops)/4 + r.IntN(len(e.Ops)/2); i < len(e.Ops) && seed%8 > 0; i++ {
				if o := &e.Ops[i]; o.Outcome == history.Some {
					n, _ := strconv.Atoi(string(o.Rets[0]))
					o.Rets = []history.Value{history.Value(strconv.Itoa(n + r.IntN(13) - 6))}
					break
				}
			}
			for _, late := range []int{5, 20} { // an add there runs nearly all the time
				o, last := &e.Ops[late], e.Events-1
				if o.Method != "add" {
					continue
				}
				for i := range e.Ops {
					if x := &e.Ops[i]; x != o {
						x.Call -= after(x.Call, o.Return)
						x.Return -= after(x.Return, o.Return)
					}
				}
				o.Return = last
			}
			want, err := c.Check(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			got, err := follow(t, &typ.Theory.Spec, e)
			if err != nil || got != want.Prefix {
				historytest.Fatal(t, e, "seed %d: a violation after %d events, %v; want %v", seed, got, err, want)
			}
		}
	}
}

// after is 1 if an event is after another one, else 0.
func after(at, other int) int {
	if at > other {
		return 1
	}
	return 0
}

// TestRefute: from the start on a log is refuted if and only if it is a violation; what
// is refuted from somewhere else is a violation, and for automata without counters
// many are.
func TestRefute(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			violations, short := 0, 0
			for seed := range testsize.Samples(1_000) {
				e := execution(typ, seed)
				want := typ.Model.ShortestViolation(e)
				whole := e
				if want > 0 {
					e = e.Prefix(want)
				}
				refuted, err := configurations.Refute(t.Context(), &typ.Theory.Spec, e, 0)
				if err != nil && typ.Name == "ticket" {
					continue
				}
				if err != nil || refuted != (want > 0) {
					historytest.Fatal(t, e, "seed %d: refuted is %t, %v; want %d", seed, refuted, err, want)
				}
				for first := 1; first < e.Events; first++ {
					if ok, _ := configurations.Refute(t.Context(), &typ.Theory.Spec, e, first); ok && want == 0 {
						historytest.Fatal(t, whole, "seed %d: refuted without the first %d events", seed, first)
					}
				}
				if want == 0 {
					continue
				}
				violations++
				first, err := configurations.Earliest(t.Context(), &typ.Theory.Spec, e)
				if err != nil || first < 0 {
					historytest.Fatal(t, e, "seed %d: earliest %d, %v", seed, first, err)
				}
				if first > 0 {
					short++
				}
			}
			t.Logf("%d of %d violations need not all events", short, violations)
			if typ.Name == "casregister" && short < violations/10 {
				t.Errorf("only %d of %d violations need not all events", short, violations)
			}
		})
	}
}

// TestReplay: one operation after the other, as the model says.
func TestReplay(t *testing.T) {
	for _, typ := range historytest.ByAutomata() {
		m, err := configurations.Of(&typ.Theory.Spec)
		if err != nil {
			t.Fatal(err)
		}
		short := 0
		for seed := range testsize.Samples(2_000) {
			r := rand.New(rand.NewPCG(seed, 3))
			e := typ.Execution(r, 12, 1, 10*r.IntN(2))
			var labels []history.Label
			for i := range e.Ops {
				if e.Ops[i].Completed() {
					labels = append(labels, e.Ops[i].Label)
				}
			}
			got, err := configurations.Replay(t.Context(), m, labels)
			want, _ := typ.Model.Admits(t.Context(), labels)
			if err != nil || got != want {
				t.Fatalf("%s, seed %d: %d, %v, want %d of %v", typ.Name, seed, got, err, want, e)
			}
			if got < len(labels) {
				short++
			}
		}
		if short == 0 {
			t.Errorf("%s: all are admitted", typ.Name)
		}
	}
}
