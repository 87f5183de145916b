package check_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// textOf is an execution as a log.
func textOf(t *testing.T, e *history.Execution) string {
	t.Helper()
	var log strings.Builder
	if err := history.WriteText(&log, e); err != nil {
		t.Fatal(err)
	}
	return log.String()
}

// TestFollowSets: followed with the automaton, or by key with those of a product, an
// execution is a violation from the event on at which a search that tries everything
// says so; so it is if the events are kept, and the engine is asked in the end. With
// ADTINFER_NIGHTLY set there are 100,000 for each type.
func TestFollowSets(t *testing.T) {
	n := testsize.Samples(1_000)
	if testsize.Nightly() {
		n = 100_000
	}
	for _, typ := range historytest.ByAutomata() {
		t.Run(typ.Name, func(t *testing.T) {
			b := batchOf(t, typ.Theory, by{})
			verdicts := map[check.Verdict]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 31))
				if typ.Lost = 0; r.IntN(2) == 0 {
					typ.Lost = 4
				}
				e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
				want, log := typ.Model.ShortestViolation(e), textOf(t, e)
				for _, keep := range []int{0, 1} {
					b.Keep(keep)
					got := follow(b, log)
					if keep == 1 && typ.Name == "ticket" && got.Result.Verdict == check.Inconclusive {
						continue // only the return says which ticket a call got
					}
					if got.Err != nil || (got.Result.Verdict == check.Violation) != (want > 0) || got.Result.Prefix != want ||
						got.Result.Verdict != check.Violation && got.Result.Verdict != check.Linearizable {
						historytest.Fatal(t, e, "seed %d, keeping %d: %+v, %v, want a violation after %d events", seed, keep, got.Result, got.Err, want)
					}
					verdicts[got.Result.Verdict]++
				}
			}
			if t.Log(verdicts); verdicts[check.Violation] == 0 || verdicts[check.Linearizable] == 0 {
				t.Error("one-sided")
			}
		})
	}
}

// registered is the register with an automaton beside its patterns.
func registered(t *testing.T) *theory.Theory {
	th := *historytest.Example(t, "register")
	write := automata.Transition{Method: "write", Outcome: history.None, To: 1, Load: []automata.Term{{Kind: automata.Argument}}}
	held := []automata.Term{{Kind: automata.Register}}
	th.Spec.Automaton = &automata.Automaton{Methods: th.Spec.Methods, Locations: []automata.Location{
		{Name: "empty", Transitions: []automata.Transition{write, {Method: "read", Outcome: history.Nil}}},
		{Name: "holds", Registers: []string{"r"}, Transitions: []automata.Transition{write, {Method: "read", Outcome: history.Some, Rets: held, To: 1, Load: held}}}}}
	return &th
}

// TestFollowBesidePatterns: where a log leaves the language of the patterns the automaton
// goes on, if all events are kept; later it is refused, as without an automaton.
func TestFollowBesidePatterns(t *testing.T) {
	b, typ := batchOf(t, registered(t), by{}), historytest.Register().Reusing(3)
	found := map[string]int{}
	for seed := range testsize.Samples(1_000) {
		r := rand.New(rand.NewPCG(seed, 32))
		e := typ.Execution(r, 3+r.IntN(7), 1+r.IntN(4), []int{0, 4, 12}[r.IntN(3)])
		want, log := typ.Model.ShortestViolation(e), textOf(t, e)
		for _, keep := range []int{0, 6} {
			b.Keep(keep)
			got := follow(b, log)
			wrong := got.Result.Verdict == check.Violation && (want == 0 || got.Result.Prefix < want) || got.Result.Verdict == check.Linearizable && want > 0
			if keep == 0 {
				wrong = wrong || got.Err != nil || got.Result.Verdict != check.Violation && got.Result.Verdict != check.Linearizable
			}
			if wrong {
				historytest.Fatal(t, e, "seed %d, keeping %d: %+v, %v, want a violation after %d events", seed, keep, got.Result, got.Err, want)
			}
			found[got.Result.Engine]++
		}
	}
	if t.Log(found); found["auto: configurations"] == 0 {
		t.Error("the automaton never went on")
	}
}

// TestFollowSetsLong: memory depends on what runs and on the keys that are in use.
func TestFollowSetsLong(t *testing.T) {
	all := historytest.ByAutomata()
	n := int(testsize.Samples(100_000))
	for _, typ := range all {
		if typ.Name != "store" {
			continue
		}
		for _, broken := range []int{n, n - 9} {
			var p check.Progress
			r, w := io.Pipe()
			go func() {
				for i := range n {
					v := i
					if i == broken {
						v++
					}
					fmt.Fprintf(w, "[%d] call put(k%d, %d)\n[%d] call put(k%d, %d)\n", 4*i+1, i, i, 4*i+2, i, i+1)
					fmt.Fprintf(w, "[%d] return\n[%d] return\n[%d] call get(k%d)\n[%d] return %d\n", 4*i+1, 4*i+2, 4*i+3, i, 4*i+3, v+i%2)
					fmt.Fprintf(w, "[%d] call delete(k%d)\n[%d] return\n", 4*i+4, i, 4*i+4)
				}
				w.Close()
			}()
			b := batchOf(t, typ.Theory, by{})
			b.Keep(1)
			got := b.Follow(context.Background(), sourceOf(r), &p)
			r.Close()
			want := check.Linearizable
			if broken < n && broken%2 == 1 {
				want = check.Violation
			}
			if got.Err != nil || got.Result.Verdict != want || got.Result.Engine != "auto: configurations" {
				t.Errorf("broken at %d: %+v, %v", broken, got.Result, got.Err)
			}
			if p.Live.Load() > 20 {
				t.Errorf("%d events, %d live", p.Events.Load(), p.Live.Load())
			}
		}
	}
}
