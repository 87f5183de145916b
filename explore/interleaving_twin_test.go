package explore

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/explore/internal/trace"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// recorded is a history of goroutines with plans: events as in trace.Scenario.
type recorded struct {
	events  []int
	answers []trace.ScenarioAnswer
}

func (r recorded) with(event int) recorded {
	return recorded{append(slices.Clip(r.events), event), slices.Clip(r.answers)}
}

func (r recorded) key() string { return fmt.Sprint(r.events, r.answers) }

// enumerate lists the histories of all interleavings of plans, and all that they begin with: each call and
// access to memory is a step, and an operation that has ended returns at any time after. With a panic the
// machine ends it in the step of its last access.
func enumerate(t *testing.T, l *loaded, r *trace.Scenario) map[string]recorded {
	t.Helper()
	program := copied(l.program)
	var exact []spec.Exact
	for _, c := range r.Calls {
		exact = append(exact, spec.Exact(c))
	}
	list, err := spec.Exactly(program, exact)
	if err != nil {
		t.Fatal(err)
	}
	var plans [][]int32
	for _, p := range r.Plans {
		var plan []int32
		for _, c := range p {
			plan = append(plan, int32(c))
		}
		plans = append(plans, plan)
	}
	shared, err := machine.New(context.Background(), program, machine.Bounds{Threads: len(plans), Calls: list.Calls, Plans: plans}, machine.Options{NoFusion: true, NoSymmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		form  string
		had   recorded
		ended [2][]trace.ScenarioAnswer // by thread with a plan: what it is about to return, if anything
	}
	for {
		m := shared.Machine()
		all, seen := map[string]recorded{"[] []": {}}, map[string]bool{}
		stack := []place{{form: string(shared.Start())}}
		push := func(p place) {
			all[p.had.key()] = p.had
			if key := fmt.Sprint(p.form, p.had.key(), p.ended); !seen[key] {
				seen[key] = true
				stack = append(stack, p)
			}
		}
		for len(stack) > 0 && err == nil {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for thread, answer := range at.ended {
				if len(answer) > 0 {
					next := at
					next.had, next.ended[thread] = at.had.with(2*thread+1), nil
					next.had.answers = append(next.had.answers, answer...)
					push(next)
				}
			}
			err = m.Expand([]byte(at.form), func(s *machine.Step) error {
				if s.Fault != nil || s.Thread < len(plans) && len(at.ended[s.Thread]) > 0 {
					return nil
				}
				next := at
				next.form = string(bytes.Clone(s.Next))
				if s.Call >= 0 {
					next.had = at.had.with(2 * s.Thread)
				}
				if s.Answer >= 0 {
					result := shared.Result(s.Answer)
					outcome, rets := list.Answer(&result)
					next.ended[s.Thread] = []trace.ScenarioAnswer{{Outcome: outcome, Rets: rets}}
				}
				push(next)
				return nil
			})
		}
		if err == nil {
			return all
		}
		if err != machine.ErrAgain {
			t.Fatal(err)
		}
		err = nil
		shared.Again()
	}
}

// changed is a history with something else in it; false if goroutines cannot have it.
func changed(r recorded, r2 *rand.Rand) (recorded, bool) {
	out := recorded{slices.Clone(r.events), slices.Clone(r.answers)}
	if len(out.answers) > 1 && r2.IntN(3) == 0 {
		i, k := r2.IntN(len(out.answers)), r2.IntN(len(out.answers))
		out.answers[i], out.answers[k] = out.answers[k], out.answers[i]
		return out, true
	}
	if len(out.events) < 2 {
		return out, false
	}
	i := r2.IntN(len(out.events) - 1)
	a, b := out.events[i], out.events[i+1]
	if a/2 == b/2 {
		return out, false
	}
	returns := 0
	for _, e := range out.events[:i] {
		returns += e % 2
	}
	if out.events[i], out.events[i+1] = b, a; a%2 == 1 && b%2 == 1 {
		out.answers[returns], out.answers[returns+1] = out.answers[returns+1], out.answers[returns]
	}
	return out, true
}

// of is the scenario that asks for a history.
func (r recorded) of(all *trace.Scenario) *trace.Scenario {
	s := &trace.Scenario{Calls: all.Calls, Plans: make([][]int, len(all.Plans)), Events: r.events, Answers: r.answers}
	for _, e := range r.events {
		if t := e / 2; e%2 == 0 {
			s.Plans[t] = append(s.Plans[t], all.Plans[t][len(s.Plans[t])])
		}
	}
	return s
}

// TestInterleavingTwin compares the search with all interleavings: it finds one with a history exactly if one of
// them has it, and what it draws has it.
func TestInterleavingTwin(t *testing.T) {
	testsize.NeedsLong(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	exists, not := 0, 0
	for _, name := range []string{"lostupdate", "snapshot", "racyread", "racyflag", "counter", "chanqueue", "lockorder", "wakeonce", "twochannels", "background", "outofrange"} {
		l, err := load(context.Background(), &Options{Dir: filepath.Join("testdata", "programs", name)})
		if err != nil {
			t.Fatal(err)
		}
		list, err := spec.New(copied(l.program), spec.Options{Values: 2})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			all := &trace.Scenario{Plans: make([][]int, 2)}
			for thread := range all.Plans {
				for range 1 + r.IntN(2) {
					c := r.IntN(len(list.Calls))
					all.Plans[thread] = append(all.Plans[thread], len(all.Calls))
					all.Calls = append(all.Calls, trace.ScenarioCall{Op: list.Calls[c].Op, Method: list.Labels[c].Method, Args: list.Labels[c].Args})
				}
			}
			histories := enumerate(t, l, all)
			keys := slices.Sorted(maps.Keys(histories))
			for range max(25, testsize.Samples(300)) {
				h := histories[keys[r.IntN(len(keys))]]
				for range r.IntN(6) {
					if other, ok := changed(h, r); ok {
						h = other
					}
				}
				_, want := histories[h.key()]
				if want {
					exists++
				} else {
					not++
				}
				compare(t, l, h.of(all), want, fmt.Sprintf("%s, seed %d: %v %v %s", name, seed, all.Plans, all.Calls, h.key()))
				if t.Failed() {
					return
				}
			}
		}
	}
	t.Logf("%d histories exist, %d do not", exists, not)
	if exists < 100 || not < 100 {
		t.Error("little is compared")
	}
}

func compare(t *testing.T, l *loaded, asked *trace.Scenario, want bool, what string) {
	t.Helper()
	s, found, err := l.find(context.Background(), asked)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !found.Exists && !found.Complete || found.Exists != want {
		t.Errorf("%s: %+v, want %t", what, found, want)
	}
	if !found.Exists {
		return
	}
	_, log, err := s.drawn()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got := eventsOf(log); !slices.Equal(got, asked.Events) {
		t.Errorf("%s: what is drawn has %v", what, got)
	}
	again, err := l.again(context.Background(), asked)
	if err != nil || len(again.Counterexample.Events) == 0 && len(asked.Events) > 0 {
		t.Errorf("%s: it is not repeated: %v", what, err)
	}
}

// eventsOf is the events of a history as a scenario has them.
func eventsOf(e *history.Execution) []int {
	events := make([]int, e.Events)
	for i := range e.Ops {
		var thread int
		fmt.Sscan(e.Ops[i].Process, &thread)
		events[e.Ops[i].Call] = 2 * (thread - 1)
		if e.Ops[i].Completed() {
			events[e.Ops[i].Return] = 2*(thread-1) + 1
		}
	}
	return events
}
