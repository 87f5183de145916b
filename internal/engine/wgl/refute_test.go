package wgl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
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
