package monitor_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestAgainstSymbolic compares verdict, shortest prefix and patterns with the
// symbolic engine, which is given the theory, and then only the patterns that
// the result names.
func TestAgainstSymbolic(t *testing.T) {
	testsize.NeedsLong(t)
	for i, name := range append(examples, "deque", "peekqueue", "peekstack", "stealing") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var th *theory.Theory
			if references[name] != nil {
				th = inferred(t, name)
			} else {
				th = example(t, name)
			}
			en := selected(t, th)
			if got, want := en.Selected.Shape(), cmp.Or(shapeOf[name], name); got != want {
				t.Fatalf("%s, want %s", got, want)
			}
			r, x := rand.New(rand.NewPCG(uint64(i), 2)), typeOf(name)
			counts, longer, explained := map[check.Verdict]int{}, 0, 0
			for k := range samples(200) {
				e := small(r, x)
				want, wantErr := checktest.By{Engine: "symbolic"}.Check(t.Context(), th, e)
				got, err := en.Check(t.Context(), th, e)
				var class *monitor.OutsideClass
				switch {
				case errors.As(err, &class), errors.As(err, new(*check.OutsideLanguage)) && wantErr != nil && err.Error() == wantErr.Error():
					counts["outside"]++
					continue
				case wantErr != nil || err != nil:
					t.Fatalf("%d: %v, symbolic: %v\n%s", k, err, wantErr, e)
				case want.Verdict == check.Inconclusive:
					continue
				}
				counts[got.Verdict]++
				if strings.Contains(got.Detail, "not known") && got.Prefix > want.Prefix {
					got.Prefix = want.Prefix
				}
				if want.Detail != "" && got.Verdict == check.Violation && got.Prefix < want.Prefix {
					longer++
					want.Prefix = got.Prefix // symbolic says that it may be
				}
				if got.Verdict != want.Verdict || got.Prefix != want.Prefix || got.Events != want.Events {
					t.Fatalf("%d: %+v, symbolic: %+v\n%s", k, got, want, e)
				}
				if got.Verdict == check.Violation {
					if r := got; r.Detail == "" || len(r.Patterns) == 0 {
						t.Errorf("%+v: no reason", r)
					}
					explained += enough(t, th, e, got)
				}
			}
			t.Logf("%v, %d shorter than symbolic's, %d explained", counts, longer, explained)
			if explained < samples(1) || counts[check.Violation] < samples(5) || counts[check.Linearizable] < samples(10) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// procedure is the engine monitor with what it chose.
type procedure struct {
	checktest.Ready
	Selected *monitor.Procedure
}

func selected(tb testing.TB, th *theory.Theory) procedure {
	tb.Helper()
	m, err := selectFor(tb, th)
	if err != nil {
		tb.Fatal(err)
	}
	return procedure{checktest.Prepare(tb, checktest.By{Engine: "monitor"}, th), m}
}

// enough tests that the named patterns exclude the shortest violating prefix.
// It counts prefixes without pending operations, the others it leaves out.
func enough(t *testing.T, th *theory.Theory, e *history.Execution, r check.Result) int {
	t.Helper()
	prefix := e.Prefix(r.Prefix)
	for i := range prefix.Ops {
		if !prefix.Ops[i].Completed() {
			return 0
		}
	}
	few := *th
	few.Spec.Patterns = nil
	for _, p := range th.Spec.Patterns {
		if slices.Contains(r.Patterns, p.Name) {
			few.Spec.Patterns = append(few.Spec.Patterns, p)
		}
	}
	s, err := checktest.By{Engine: "symbolic"}.Check(t.Context(), &few, prefix)
	if err != nil || s.Verdict != check.Violation {
		t.Errorf("%+v: with these patterns alone: %+v, %v\n%s", r, s, err, e)
	}
	return 1
}

// TestRecorded decides recorded histories, if they are there.
func TestRecorded(t *testing.T) {
	engines := map[string]procedure{}
	theories := map[string]*theory.Theory{"queue": example(t, "queue"), "stack": example(t, "stack")}
	for name, th := range theories {
		engines[name] = selected(t, th)
	}
	recordings, spent := historytest.Recordings(t), time.Duration(0)
	for _, row := range recordings {
		th := theories[row.Type()]
		e := row.Read(t, th)
		start := time.Now()
		r, err := engines[row.Type()].Check(t.Context(), th, e)
		spent += time.Since(start)
		if err != nil || (r.Verdict == check.Linearizable) != row.Linearizable || r.Prefix != row.Prefix {
			t.Errorf("%s: %+v, %v; want %v, %d", row.File, r, err, row.Linearizable, row.Prefix)
		}
	}
	t.Logf("%d histories in %v", len(recordings), spent)
}

// At equal times the calls come first: what ends and what begins at one time
// overlap.
func TestTies(t *testing.T) {
	const log = `{"op":1,"event":"call","method":"add","args":[1],"time":1}
{"op":1,"event":"return","time":2}
{"op":2,"event":"call","method":"add","args":[2],"time":%s}
{"op":2,"event":"return","time":4}
{"op":3,"event":"call","method":"remove","time":5}
{"op":3,"event":"return","rets":[2],"time":6}
`
	th := example(t, "queue")
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	for time, want := range map[string]check.Verdict{"2": check.Linearizable, "3": check.Violation} {
		e, err := history.ReadLog(strings.NewReader(fmt.Sprintf(log, time)), "x.jsonl", sig)
		if err != nil {
			t.Fatal(err)
		}
		r, err := checktest.By{Engine: "monitor"}.Check(t.Context(), th, e)
		if err != nil || r.Verdict != want {
			t.Errorf("second add at time %s: %+v, %v", time, r, err)
		}
	}
}

// BenchmarkSelect recognizes theories.
func BenchmarkSelect(b *testing.B) {
	for _, name := range examples {
		b.Run(name, func(b *testing.B) {
			th := example(b, name)
			for b.Loop() {
				if _, err := selectFor(b, th); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestStream follows executions event by event.
func TestStream(t *testing.T) {
	followed := map[string]*monitor.Procedure{
		"bag":       selected(t, bagTheory(t)).Selected,
		"peekqueue": selected(t, inferred(t, "peekqueue")).Selected,
		"peekstack": selected(t, inferred(t, "peekstack")).Selected,
		"priority": monitor.ForPriorityQueue(monitor.PriorityQueue{Name: "priority", Add: "add", Remove: "remove", Priority: func(v history.Value) (int64, error) {
			n, err := strconv.ParseInt(string(v), 10, 64)
			return n * 11 % 16, err
		}}),
	}
	for _, name := range examples {
		followed[name] = selected(t, example(t, name)).Selected
	}
	for name, m := range followed {
		t.Run(name, func(t *testing.T) {
			r, x := rand.New(rand.NewPCG(3, 3)), typeOf(name)
			for k := range samples(500) {
				s, err := m.Stream()
				if err != nil {
					t.Fatal(err)
				}
				e := small(r, x)
				want, err := m.Check(t.Context(), e)
				if err != nil || !want.Linearizable && !want.Shortest {
					continue
				}
				got, why := follow(t, s, e)
				if got != want.Prefix || (why == "") != want.Linearizable {
					t.Fatalf("%d: violation after %d events (%s), off line after %d\n%s", k, got, why, want.Prefix, e)
				}
			}
		})
	}
}

// follow is the number of events after which the stream says no, or 0, and why.
func follow(t *testing.T, s *monitor.Stream, e *history.Execution) (int, string) {
	at := make([]*history.Operation, e.Events)
	for i := range e.Ops {
		at[e.Ops[i].Call] = &e.Ops[i]
		if e.Ops[i].Completed() {
			at[e.Ops[i].Return] = &e.Ops[i]
		}
	}
	for n, o := range at {
		ok, err := true, error(nil)
		if o.Call == n {
			err = s.Call(o.ID, o.Method, o.Args...)
		} else {
			ok, err = s.Return(o.ID, o.Outcome, o.Rets...)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			n, _ := s.Prefix()
			return n, s.Reason()
		}
	}
	if _, err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	n, _ := s.Prefix()
	return n, s.Reason()
}

func TestStreamBadInput(t *testing.T) {
	s, err := selected(t, example(t, "queue")).Selected.Stream()
	if err != nil {
		t.Fatal(err)
	}
	var bad *monitor.BadOperation
	var class *monitor.OutsideClass
	for _, tt := range []struct {
		name   string
		do     func() error
		target any
	}{
		{"unknown method", func() error { return s.Call("1", "peek") }, &bad},
		{"no argument", func() error { return s.Call("1", "add") }, &bad},
		{"a call", func() error { return s.Call("1", "add", "7") }, nil},
		{"called twice", func() error { return s.Call("1", "remove") }, &bad},
		{"a value that is in", func() error { return s.Call("2", "add", "7") }, &class},
		{"never called", func() error { _, err := s.Return("3", history.None); return err }, &bad},
		{"another outcome", func() error { _, err := s.Return("1", history.Nil); return err }, &bad},
		{"its outcome", func() error { _, err := s.Return("1", history.None); return err }, nil},
	} {
		if err := tt.do(); tt.target == nil && err != nil || tt.target != nil && !errors.As(err, tt.target) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if s.Events() != 2 || s.Live() != 1 {
		t.Errorf("%d events, %d live", s.Events(), s.Live())
	}
	if _, err := selected(t, inferred(t, "stealing")).Selected.Stream(); err == nil {
		t.Error("a container of which only the table is known was followed")
	}
}

func ExampleProcedure_Stream() {
	text, _ := os.ReadFile("../../../examples/queue/queue.theory.yaml")
	th, _ := theory.Read(strings.NewReader(string(text)), "queue.theory.yaml")
	m, err := checktest.Procedure(context.Background(), th)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, _ := m.Stream()
	for _, v := range []history.Value{"1", "2"} {
		s.Call("a", "add", v)
		s.Return("a", history.None)
	}
	s.Call("b", "remove")
	ok, _ := s.Return("b", history.Some, "2")
	fmt.Println(ok, s.Events())
	// Output: false 6
}

func ExampleSelect() {
	text, _ := os.ReadFile("../../../examples/queue/queue.theory.yaml")
	th, _ := theory.Read(strings.NewReader(string(text)), "queue.theory.yaml")
	m, err := checktest.Procedure(context.Background(), th) // monitor.Select with the symbolic engine as judge
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Why())
	sig, _ := th.Signature(nil)
	e, _ := history.ReadLog(strings.NewReader("[1] call add(1)\n[1] return\n[2] call add(2)\n[2] return\n[3] call remove\n[3] return 2\n"), "x.log", sig)
	r, _ := m.Check(context.Background(), e)
	fmt.Printf("%d events: %s\n", r.Prefix, r.Reason.Sentence)
	// Output:
	// the patterns of theory queue are those of a queue: values leave in the order in which they came
	// 6 events: 1 was put in before 2, which was taken out first
}

// One pending remove may take one of two values, and each alone would be no
// violation: the reason has both, and only one of the removes that found nothing.
func TestReasonPending(t *testing.T) {
	m := monitor.ForPriorityQueue(monitor.PriorityQueue{Name: "pq", Add: "add", Remove: "remove"})
	e := &history.Execution{}
	for _, l := range []history.Label{
		{Kind: history.Kind{Method: "remove", Outcome: history.Pending}},
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"1"}},
		{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
		{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{"2"}},
		{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
	} {
		o := history.Operation{ID: fmt.Sprint(len(e.Ops) + 1), Label: l, Call: e.Events, Return: history.NoReturn}
		e.Events++
		if l.Outcome != history.Pending {
			o.Return = e.Events
			e.Events++
		}
		e.Ops = append(e.Ops, o)
	}
	r, err := m.Check(t.Context(), e)
	if err != nil || r.Prefix != e.Events {
		t.Fatalf("%+v, %v", r, err)
	}
	if x, err := m.Check(t.Context(), r.Reason.Execution); err != nil || x.Linearizable || len(r.Reason.Ops) != 4 {
		t.Errorf("%+v, %v: %q of %v", x, err, r.Reason.Sentence, r.Reason.Ops)
	}
}

// TestTooFewPending holds sentences about queues to what they say: the values were put in before
// another, and fewer pending removes than values were called when that was taken out.
func TestTooFewPending(t *testing.T) {
	m := selected(t, example(t, "queue")).Selected
	queue, said := historytest.Queue(), 0
	for seed := range testsize.Samples(4000) {
		e := queue.Execution(rand.New(rand.NewPCG(seed, 61)), 14, 5, 10)
		r, err := m.Check(t.Context(), e)
		if err != nil || r.Linearizable {
			continue
		}
		first, rest, found := strings.Cut(r.Reason.Sentence, " were put in before ")
		second, _, few := strings.Cut(rest, ", which was taken out first, and there are too few")
		if !found || !few || strings.Contains(rest, ";") { // ; where a pending operation may have changed that
			continue
		}
		said++
		of, taken, pending := map[history.Value]*history.Operation{}, 0, 0
		for i := range r.Reason.Execution.Ops {
			switch o := &r.Reason.Execution.Ops[i]; {
			case o.Method == "add":
				of[o.Args[0]] = o
			case o.Completed() && string(o.Rets[0]) == second:
				taken = o.Return
			}
		}
		for i := range r.Reason.Execution.Ops {
			if o := &r.Reason.Execution.Ops[i]; o.Method == "remove" && !o.Completed() && o.Call < taken {
				pending++
			}
		}
		values := strings.Split(strings.ReplaceAll(first, " and ", ", "), ", ")
		for _, v := range values {
			if o := of[history.Value(v)]; o == nil || !o.Completed() || o.Return > of[history.Value(second)].Call {
				historytest.Fatal(t, e, "seed %d: %s", seed, r.Reason.Sentence)
			}
		}
		if pending >= len(values) {
			historytest.Fatal(t, e, "seed %d: %d are pending: %s", seed, pending, r.Reason.Sentence)
		}
	}
	if said < int(testsize.Samples(40)) {
		t.Errorf("only %d such sentences", said)
	}
}
