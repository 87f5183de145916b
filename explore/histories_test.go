package explore_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// TestHistories takes random ways through what is explored of packages that hold: their
// histories must be linearizable for check, too. One of a mutant that does not hold must
// not be, sooner or later.
func TestHistories(t *testing.T) {
	t.Parallel()
	for _, name := range []string{lazySet, optimisticSet, coupledSet, harrisSet, treiberStack, twoLockQueue, michaelScott} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if bad := histories(t, name, folder(name), testsize.Samples(2000)); bad != "" {
				t.Errorf("a violation for check:\n%s", bad)
			}
		})
	}
	t.Run("mutant", func(t *testing.T) {
		t.Parallel()
		i := slices.IndexFunc(mutants, func(m mutant) bool { return m.name == "push overwrites" })
		if histories(t, treiberStack, mutants[i].write(t), 2000) == "" {
			t.Error("check sees nothing wrong with a stack that overwrites")
		}
	})
}

// histories is the first violation of so many random histories.
func histories(t *testing.T, name, dir string, times uint64) string {
	t.Helper()
	w := newWalker(t, name, dir, bounds(3, 3, 2))
	judge := judgeOf(t, name)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range times {
		if bad := judge(w.walk(t, r)); bad != "" {
			return bad
		}
	}
	return ""
}

// judgeOf makes a function that is a history as a log if it is a violation for check.
func judgeOf(t *testing.T, name string) func(e *history.Execution) string {
	checker, err := check.New(theoryOf(t, name), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(e *history.Execution) string {
		var log bytes.Buffer
		if err := history.WriteText(&log, e); err != nil {
			t.Fatal(err)
		}
		text := log.String()
		v, err := checker.CheckLog(t.Context(), &log, "history")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if v.Verdict != check.Violation {
			return ""
		}
		return text
	}
}

// TestAllHistories lists all histories that are explored of packages that hold, and
// asks check about each.
func TestAllHistories(t *testing.T) {
	t.Parallel()
	at := []explore.Bounds{bounds(2, 1, 2)}
	if testsize.Long() {
		at = append(at, bounds(2, 2, 1), bounds(3, 1, 1))
	}
	if testsize.Nightly() {
		at = append(at, bounds(2, 2, 2))
	}
	for _, name := range []string{lazySet, optimisticSet, coupledSet, harrisSet, treiberStack, twoLockQueue, michaelScott} {
		for _, b := range at {
			t.Run(name+" "+b.String(), func(t *testing.T) {
				t.Parallel()
				w, judge := newWalker(t, name, folder(name), b), judgeOf(t, name)
				all := w.all(t)
				for h := range all {
					if bad := judge(w.execution([]byte(h))); bad != "" {
						t.Fatalf("a violation for check:\n%s", bad)
					}
				}
				t.Logf("%d histories", len(all))
				if len(all) < 2 {
					t.Error("too few histories")
				}
			})
		}
	}
}

// all lists the histories from the start to where no step is possible, as execution
// reads them.
func (w *walker) all(t *testing.T) map[string]bool {
	type state struct{ form, history string }
	for {
		start := state{form: string(w.shared.Start())}
		seen, queue, all := map[state]bool{start: true}, []state{start}, map[string]bool{}
		var err error
		for len(queue) > 0 && err == nil {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			ends := true
			err = w.m.Expand([]byte(at.form), func(s *machine.Step) error {
				ends = false
				if s.Fault != nil {
					return s.Fault
				}
				h := []byte(at.history)
				if s.Call >= 0 {
					h = append(h, 0, byte(s.Thread), byte(s.Call))
				}
				if s.Answer >= 0 {
					h = append(h, 1, byte(s.Thread), byte(s.Answer))
				}
				next := state{string(s.Next), string(h)}
				if !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
				return nil
			})
			if ends {
				all[at.history] = true
			}
		}
		switch {
		case errors.Is(err, machine.ErrAgain):
			w.shared.Again()
			w.m = w.shared.Machine()
		case err != nil:
			t.Fatal(err)
		default:
			return all
		}
	}
}

// execution reads a history: for each event whether it is a call or a return, the thread, and the
// call or answer.
func (w *walker) execution(h []byte) *history.Execution {
	e, running := &history.Execution{Object: "walk"}, map[int]int{}
	for ; len(h) > 0; h = h[3:] {
		if h[0] == 0 {
			w.call(e, running, int(h[1]), int32(h[2]))
		} else {
			w.answer(e, running, int(h[1]), int32(h[2]))
		}
	}
	return e
}

func (w *walker) call(e *history.Execution, running map[int]int, thread int, call int32) {
	running[thread] = len(e.Ops)
	e.Ops = append(e.Ops, history.Operation{
		ID: strconv.Itoa(len(e.Ops) + 1), Process: strconv.Itoa(thread), Label: w.list.Labels[call], Call: e.Events, Return: history.NoReturn,
	})
	e.Events++
}

func (w *walker) answer(e *history.Execution, running map[int]int, thread int, answer int32) {
	op := &e.Ops[running[thread]]
	result := w.shared.Result(answer)
	op.Label.Outcome, op.Label.Rets = w.list.Answer(&result)
	op.Return = e.Events
	e.Events++
}

// walker takes steps at random.
type walker struct {
	list   *spec.List
	shared *machine.Shared
	m      *machine.Machine
}

func newWalker(t *testing.T, name, dir string, b explore.Bounds) *walker {
	t.Helper()
	typ, expr := constructor(name)
	pkg, err := source.Load(t.Context(), source.Options{Dir: dir, Type: typ, New: expr})
	if err != nil {
		t.Fatal(err)
	}
	p, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	list, err := spec.New(p, spec.Options{Values: b.Values, Most: b.Threads * b.Operations, Fresh: map[string]int{"push": 0, "enqueue": 0}})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := machine.New(t.Context(), p, machine.Bounds{Threads: b.Threads, Ops: b.Operations, Calls: list.Calls}, machine.Options{NoSymmetry: true})
	if err != nil {
		t.Fatal(err)
	}
	return &walker{list, shared, shared.Machine()}
}

// walk goes from the start until no step is possible, or it has made many.
func (w *walker) walk(t *testing.T, r *rand.Rand) *history.Execution {
	t.Helper()
	e, running := &history.Execution{Object: "walk"}, map[int]int{}
	at := w.shared.Start()
	for range 60 + r.IntN(200) {
		var steps []machine.Step
		err := w.m.Expand(at, func(s *machine.Step) error {
			if s.Fault != nil {
				return s.Fault
			}
			copied := *s
			copied.Next = bytes.Clone(s.Next)
			steps = append(steps, copied)
			return nil
		})
		if errors.Is(err, machine.ErrAgain) {
			w.shared.Again()
			w.m = w.shared.Machine()
			return w.walk(t, r)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(steps) == 0 {
			break
		}
		s := steps[r.IntN(len(steps))]
		at = s.Next
		if s.Call >= 0 {
			w.call(e, running, s.Thread, s.Call)
		}
		if s.Answer >= 0 {
			w.answer(e, running, s.Thread, s.Answer)
		}
	}
	return e
}
