package wgl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestRefuted: where the last operations are said to be a violation alone, the shortest
// violation ends with them.
func TestRefuted(t *testing.T) {
	models := map[string]wgl.Model{}
	types := historytest.Examples()
	for _, typ := range types {
		m, err := wgl.Builtin(typ.Name)
		if err != nil {
			t.Fatal(err)
		}
		models[typ.Name] = m
	}
	for i := range 6 {
		typ := automaton(rand.New(rand.NewPCG(uint64(i), 31)))
		typ.Name = fmt.Sprint("automaton ", i)
		types, models[typ.Name] = append(types, typ), asModel{typ.Model}
	}
	for _, typ := range types {
		t.Run(typ.Name, func(t *testing.T) {
			violations, refuted := 0, 0
			for seed := range testsize.Samples(3000) {
				r := rand.New(rand.NewPCG(seed, 37))
				typ := typ.Reusing(2)
				typ.Lost = 8 * r.IntN(2)
				e := typ.Execution(r, 4+r.IntN(12), 1+r.IntN(4), 4)
				events, found, err := wgl.Refuted(models[typ.Name], e, 1+r.IntN(3))
				if err != nil {
					t.Fatal(err)
				}
				want := typ.Model.ShortestViolation(e)
				if want > 0 {
					violations++
				}
				if found {
					refuted++
				}
				if (events > 0) != (want > 0) || found && events != want || events > want {
					t.Fatalf("seed %d: stuck after %d events, refuted %v; the shortest violation has %d\n%s", seed, events, found, want, historytest.Text(e))
				}
			}
			if t.Logf("%d of %d refuted", refuted, violations); refuted < violations/10 && typ.Name != "queue" && typ.Name != "stack" { // these have too many states
				t.Error("few are refuted")
			}
		})
	}
}

// steps counts how often a search asks whether it must end: every 1,024 steps.
type steps struct {
	context.Context
	asked *int
}

func (s steps) Err() error { *s.asked++; return nil }

// TestStuck: a search that gets stuck in a long execution looks at the last operations
// before it tries all that may have come earlier, and says the same.
func TestStuck(t *testing.T) {
	m, err := wgl.Builtin("cas-register(0)")
	if err != nil {
		t.Fatal(err)
	}
	e := swaps(rand.New(rand.NewPCG(1, 2)), 2000, 14)
	var asked [2]int
	var got [2]wgl.Result
	for i, after := range []int{1, 1 << 30} {
		undo := wgl.LookAfter(after)
		got[i], err = wgl.Check(steps{t.Context(), &asked[i]}, m, e, wgl.Options{})
		if undo(); err != nil {
			t.Fatal(err)
		}
	}
	if got[0].Linearizable || got[0].Prefix != got[1].Prefix || got[0].Upper || len(got[0].Order) == 0 {
		t.Errorf("%+v\n%+v", got[0].Prefix, got[1].Prefix)
	}
	if diff := cmp.Diff(got[1].Order, got[0].Order); diff != "" {
		t.Error("another linearization of what comes before:", diff)
	}
	if asked[0]*10 > asked[1] {
		t.Errorf("asked %d times, and %d times without looking", asked[0], asked[1])
	}
}

// swaps is an execution of a register with compare-and-swap of few values, with a value
// read, two thirds in, that nobody wrote.
func swaps(r *rand.Rand, n, processes int) *history.Execution {
	e := &history.Execution{}
	value := func() history.Value { return history.Value(fmt.Sprint(r.IntN(4))) }
	running, state := []int{}, history.Value("0")
	for done := 0; done < n; {
		if len(running) < processes {
			o := history.Operation{ID: fmt.Sprint(len(e.Ops)), Call: e.Events, Return: -1}
			switch r.IntN(3) {
			case 0:
				o.Method = "read"
			case 1:
				o.Method, o.Args = "write", []history.Value{value()}
			default:
				o.Method, o.Args = "cas", []history.Value{value(), value()}
			}
			running, e.Ops = append(running, len(e.Ops)), append(e.Ops, o)
			e.Events++
			continue
		}
		i := r.IntN(len(running))
		o := &e.Ops[running[i]]
		switch {
		case o.Method == "read":
			if o.Outcome, o.Rets = history.Some, []history.Value{state}; done == 2*n/3 {
				o.Rets = []history.Value{"77"}
			}
		case o.Method == "write":
			o.Outcome, state = history.None, o.Args[0]
		case o.Args[0] == state:
			o.Outcome, state = history.True, o.Args[1]
		default:
			o.Outcome = history.False
		}
		if done == 2*n/3 && o.Method != "read" {
			continue
		}
		o.Return = e.Events
		e.Events++
		running = append(running[:i], running[i+1:]...)
		done++
	}
	return e
}

// TestCut compares with all sets of the operations that may be left out, from all states.
func TestCut(t *testing.T) {
	cut := 0
	for seed := range testsize.Samples(4000) {
		r := rand.New(rand.NewPCG(seed, 43))
		typ := automaton(r)
		e := typ.Execution(r, 4+r.IntN(5), 3+r.IntN(4), 4)
		needed, some := make([]bool, len(e.Ops)), false
		for i := range e.Ops {
			needed[i] = e.Ops[i].Completed() && r.IntN(2) == 0
			some = some || needed[i]
		}
		if !some {
			continue
		}
		got, err := wgl.Cut(asModel{typ.Model}, e, needed)
		if err != nil {
			t.Fatal(err)
		}
		want := true
		for _, state := range reached(typ.Model, e) {
			want = want && !explainedFrom(typ.Model, state, e, needed)
		}
		if got != want {
			t.Fatalf("seed %d: %v, want %v: needed %v of\n%s", seed, got, want, needed, historytest.Text(e))
		}
		if got {
			cut++
		}
	}
	t.Logf("%d have no linearization", cut)
	if cut == 0 {
		t.Error("all have one")
	}
}

// reached lists the states that operations lead to.
func reached(m historytest.Model, e *history.Execution) []string {
	states := []string{""}
	for i := 0; i < len(states); i++ {
		for _, o := range e.Ops {
			for _, w := range m(states[i], &o.Label) {
				if (!o.Completed() || w.Gives(&o.Label)) && !slices.Contains(states, w.Next) {
					states = append(states, w.Next)
				}
			}
		}
	}
	return states
}

// explainedFrom reports whether operations that did not return before all that are needed
// have a linearization from a state, with the needed ones.
func explainedFrom(m historytest.Model, state string, e *history.Execution, needed []bool) bool {
	first := e.Ops[slices.Index(needed, true)].Call
	from := historytest.Model(func(s string, l *history.Label) (ways []historytest.Way) {
		if s == "" {
			s = "=" + state
		}
		for _, w := range m(s[1:], l) {
			w.Next = "=" + w.Next
			ways = append(ways, w)
		}
		return ways
	})
	for set := range 1 << len(e.Ops) {
		some := &history.Execution{Events: e.Events}
		for i, o := range e.Ops {
			if before := o.Completed() && o.Return < first; !before && (needed[i] || set>>i&1 == 0) {
				some.Ops = append(some.Ops, o)
			}
		}
		if from.Linearizable(some) {
			return true
		}
	}
	return false
}
