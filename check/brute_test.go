package check_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
)

// model is an executable data type: what a call answers in a state, and the
// state after it. States are the values held, joined by commas.
type model func(state string, l *history.Label) (history.Outcome, []history.Value, string)

func push(state string, v history.Value) string { return state + string(v) + "," }

func some(v string) (history.Outcome, []history.Value) {
	return history.Some, []history.Value{history.Value(v)}
}

func queueModel(state string, l *history.Label) (history.Outcome, []history.Value, string) {
	if l.Method == "add" {
		return history.None, nil, push(state, l.Args[0])
	}
	head, rest, ok := strings.Cut(state, ",")
	if !ok {
		return history.Nil, nil, state
	}
	out, rets := some(head)
	return out, rets, rest
}

func stackModel(state string, l *history.Label) (history.Outcome, []history.Value, string) {
	if l.Method == "add" {
		return history.None, nil, push(state, l.Args[0])
	}
	if state == "" {
		return history.Nil, nil, state
	}
	below := state[:strings.LastIndex(state[:len(state)-1], ",")+1]
	out, rets := some(strings.TrimSuffix(state[len(below):], ","))
	return out, rets, below
}

func registerModel(state string, l *history.Label) (history.Outcome, []history.Value, string) {
	if l.Method == "write" {
		return history.None, nil, string(l.Args[0])
	}
	if state == "" {
		return history.Nil, nil, state
	}
	out, rets := some(state)
	return out, rets, state
}

func lockModel(state string, l *history.Label) (history.Outcome, []history.Value, string) {
	out, rets := history.Nil, []history.Value(nil)
	if state != "" {
		out, rets = some(state)
	}
	switch {
	case l.Method == "unlock":
		return out, rets, ""
	case state == "":
		return out, rets, string(l.Args[0])
	}
	return out, rets, state
}

func setModel(state string, l *history.Label) (history.Outcome, []history.Value, string) {
	v := string(l.Args[0])
	held := strings.Split(strings.TrimSuffix(state, ","), ",")
	at := slices.Index(held, v)
	out, rets := history.Nil, []history.Value(nil)
	if at >= 0 {
		out, rets = some(v)
	}
	switch {
	case l.Method == "insert" && at < 0:
		held = append(held, v)
		slices.Sort(held)
		return out, rets, strings.TrimPrefix(strings.Join(held, ","), ",") + ","
	case l.Method == "remove" && at >= 0:
		return out, rets, strings.TrimPrefix(strings.Join(slices.Delete(held, at, at+1), ",")+",", ",")
	}
	return out, rets, state
}

// linearizable searches all linearizations of an execution, pending operations
// taken in or left out, for one that the model admits.
func linearizable(m model, e *history.Execution) bool {
	failed := map[string]bool{}
	var search func(done int, state string) bool
	search = func(done int, state string) bool {
		key := strconv.Itoa(done) + " " + state
		if failed[key] {
			return false
		}
		missing := false
		for i := range e.Ops {
			missing = missing || done>>i&1 == 0 && e.Ops[i].Completed()
		}
		if !missing {
			return true
		}
		for i := range e.Ops {
			if done>>i&1 == 1 || !minimal(e, done, i) {
				continue
			}
			o := &e.Ops[i]
			out, rets, next := m(state, &o.Label)
			if o.Completed() && (out != o.Outcome || !slices.Equal(rets, o.Rets)) {
				continue
			}
			if search(done|1<<i, next) {
				return true
			}
		}
		failed[key] = true
		return false
	}
	return search(0, "")
}

func minimal(e *history.Execution, done, i int) bool {
	for j := range e.Ops {
		if done>>j&1 == 0 && e.Before(j, i) {
			return false
		}
	}
	return true
}

// shortestViolation is the number of events of the first prefix that is not
// linearizable, or 0.
func shortestViolation(m model, e *history.Execution) int {
	for n := 1; n <= e.Events; n++ {
		if !linearizable(m, e.Prefix(n)) {
			return n
		}
	}
	return 0
}

// subject is a data type with all that the tests need to make executions of it.
type subject struct {
	source
	model
	call func(r *rand.Rand, fresh int) history.Label // a call, given a value not used so far
}

func small(r *rand.Rand) []history.Value {
	return []history.Value{history.Value(strconv.Itoa(1 + r.IntN(2)))}
}

// either calls the first method with a fresh value or the second without any.
func either(with, without string) func(*rand.Rand, int) history.Label {
	return func(r *rand.Rand, fresh int) history.Label {
		l := history.Label{Kind: history.Kind{Method: without}}
		if r.IntN(2) == 0 {
			l.Method, l.Args = with, []history.Value{history.Value(strconv.Itoa(fresh))}
		}
		return l
	}
}

var subjects = []subject{
	{queue, queueModel, either("add", "remove")},
	{stack, stackModel, either("add", "remove")},
	{register, registerModel, either("write", "read")},
	{lock, lockModel, either("lock", "unlock")},
	{set, setModel, func(r *rand.Rand, _ int) history.Label {
		m := []string{"insert", "remove", "contains"}[r.IntN(3)]
		return history.Label{Kind: history.Kind{Method: m}, Args: small(r)}
	}},
}

// execution makes a random execution: operations take effect at a moment
// between call and return, and one answer in mutate is replaced by another.
func (s *subject) execution(r *rand.Rand, ops, processes, mutate int) *history.Execution {
	e := &history.Execution{}
	state, pending := "", make([]int, processes) // index+1 of the running operation
	effect := make([]bool, ops)
	for steps := 0; steps < 6*ops; steps++ {
		p := r.IntN(processes)
		switch i := pending[p] - 1; {
		case i < 0 && len(e.Ops) == ops:
		case i < 0:
			l := s.call(r, len(e.Ops)+1)
			e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Label: l, Call: e.Events, Return: history.NoReturn})
			e.Events++
			pending[p] = len(e.Ops)
		case !effect[i]:
			o := &e.Ops[i]
			_, _, after := s.model(state, &o.Label)
			o.Outcome, o.Rets, _ = s.model(state, &o.Label)
			state, effect[i] = after, true
		default:
			e.Ops[i].Return = e.Events
			e.Events++
			pending[p] = 0
		}
	}
	for i := range e.Ops {
		switch o := &e.Ops[i]; {
		case !o.Completed():
			o.Outcome, o.Rets = history.Pending, nil
		case r.IntN(mutate) == 0:
			s.spoil(r, o)
		}
	}
	return e
}

// spoil replaces an answer by any that the method may give.
func (s *subject) spoil(r *rand.Rand, o *history.Operation) {
	for _, m := range s.methods {
		if m.Name == o.Method {
			out := m.Outcomes[r.IntN(len(m.Outcomes))]
			o.Outcome, o.Rets = out.Outcome, nil
			for range out.Rets {
				v := history.Value(strconv.Itoa(1 + r.IntN(5)))
				if s.name == "set" {
					v = o.Args[0]
				}
				o.Rets = append(o.Rets, v)
			}
		}
	}
}

func text(e *history.Execution) string {
	lines := make([]string, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		lines[o.Call] = fmt.Sprintf("[%s] call %s %v", o.ID, o.Method, o.Args)
		if o.Completed() {
			lines[o.Return] = fmt.Sprintf("[%s] return %s %v", o.ID, o.Outcome, o.Rets)
		}
	}
	return strings.Join(lines, "\n")
}

// TestSymbolicAgainstModels compares verdict and shortest prefix with a search
// over an executable model, on random executions with pending operations.
func TestSymbolicAgainstModels(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			counts := map[check.Verdict]int{}
			late := 0
			for seed := range uint64(1500) {
				r := rand.New(rand.NewPCG(seed, 7))
				e := s.execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				res, err := check.Symbolic{}.Check(t.Context(), th, e)
				var outside *check.OutsideLanguage
				if errors.As(err, &outside) {
					continue
				}
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, text(e))
				}
				counts[res.Verdict]++
				want := shortestViolation(s.model, e)
				wrong := (res.Verdict == check.Linearizable) != (want == 0)
				if res.Verdict == check.Inconclusive {
					wrong = res.Detail == "" || s.name != "set"
				}
				if res.Verdict == check.Violation {
					wrong = wrong || res.Prefix < want || res.Prefix > want && res.Detail == "" || len(res.Patterns) == 0
					if res.Prefix > want {
						late++
					}
				}
				if wrong {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, res, want, text(e))
				}
			}
			t.Logf("%v, %d late", counts, late)
			if counts[check.Violation] < 200 || counts[check.Linearizable] < 200 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}
