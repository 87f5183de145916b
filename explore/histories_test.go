package explore_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/lower"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/source"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testsize"
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
	w := newWalker(t, name, dir)
	checker, err := check.New(theoryOf(t, name), check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range times {
		var log bytes.Buffer
		if err := history.WriteText(&log, w.walk(t, r)); err != nil {
			t.Fatal(err)
		}
		text := log.String()
		v, err := checker.CheckLog(t.Context(), &log, "history")
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if v.Verdict == check.Violation {
			return text
		}
	}
	return ""
}

// walker takes steps at random.
type walker struct {
	list   *calls.List
	shared *machine.Shared
	m      *machine.Machine
}

func newWalker(t *testing.T, name, dir string) *walker {
	t.Helper()
	const threads, ops = 3, 3
	typ, expr := constructor(name)
	pkg, err := source.Load(t.Context(), source.Options{Dir: dir, Type: typ, New: expr})
	if err != nil {
		t.Fatal(err)
	}
	p, refusals := lower.Compile(pkg)
	if len(refusals) > 0 {
		t.Fatal(refusals)
	}
	list, err := calls.New(p, calls.Options{Values: 2, Most: threads * ops, Fresh: map[string]int{"push": 0, "enqueue": 0}})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := machine.New(t.Context(), p, machine.Bounds{Threads: threads, Ops: ops, Calls: list.Calls}, machine.Options{NoSymmetry: true})
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
			running[s.Thread] = len(e.Ops)
			e.Ops = append(e.Ops, history.Operation{
				ID: strconv.Itoa(len(e.Ops) + 1), Process: strconv.Itoa(s.Thread), Label: w.list.Labels[s.Call], Call: e.Events, Return: history.NoReturn,
			})
			e.Events++
		}
		if s.Answer >= 0 {
			op := &e.Ops[running[s.Thread]]
			result := w.shared.Result(s.Answer)
			op.Label.Outcome, op.Label.Rets = w.list.Answer(&result)
			op.Return = e.Events
			e.Events++
		}
	}
	return e
}
