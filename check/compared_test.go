package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestTheoryWithReference: beside a theory the reference decides the logs that it does
// not cover, and confirms its violations; all verdicts are those of a brute force.
func TestTheoryWithReference(t *testing.T) {
	th := historytest.Theory(t, "examples/queue/queue.theory.yaml")
	impl := inProcess(t, reference.Spec{New: func() *plainQueue { return &plainQueue{} }, Skip: []string{"Len"}})
	c := must(check.New(th, check.Options{Reference: impl}))
	byReference, confirmed, theirs := 0, 0, 0
	for seed := range testsize.Samples(1500) {
		r := rand.New(rand.NewPCG(seed, 43))
		typ := historytest.Queue()
		if seed%2 == 0 {
			typ = typ.Reusing(3)
		}
		e := typ.Execution(r, 2+r.IntN(8), 1+r.IntN(3), 5)
		got, err := c.Check(t.Context(), e)
		want := typ.Model.ShortestViolation(e)
		if err != nil || (got.Verdict == check.Violation) != (want > 0) || (got.Verdict == check.Linearizable) != (want == 0) ||
			got.Prefix < want || got.Prefix > want && got.Detail == "" {
			t.Fatalf("seed %d: %+v, %v; by brute force the prefix is %d\n%s", seed, got, err, want, historytest.Text(e))
		}
		switch {
		case strings.HasPrefix(got.By, "the reference itself"):
			byReference++
			if !strings.HasSuffix(got.By, "(the theory does not cover the log)") {
				t.Fatalf("seed %d: %+v", seed, got)
			}
		case strings.HasPrefix(got.By, "the theory, and the reference itself"):
			confirmed++
		case got.By == "" && want == 0:
			theirs++
		default:
			t.Fatalf("seed %d: %+v", seed, got)
		}
		if want > 0 {
			if x, err := c.Explain(t.Context(), e, got); err != nil || typ.Model.Linearizable(x.Execution) {
				t.Fatalf("seed %d: %+v, %v\n%s", seed, x, err, historytest.Text(e))
			}
			continue
		}
		ev, err := c.Witness(t.Context(), e, got)
		if err == nil {
			err = verifyOrder(t.Context(), e, ev, typ.Model)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
		}
	}
	if byReference == 0 || confirmed == 0 || theirs == 0 {
		t.Errorf("%d by the reference, %d confirmed, %d by the theory alone", byReference, confirmed, theirs)
	}
}

// TestTheoryOfAnother: a theory that calls a violation what the reference admits does
// not describe it, and the reference is right. One that it lacks a method of is refused.
func TestTheoryOfAnother(t *testing.T) {
	th := historytest.Theory(t, "examples/stack/stack.theory.yaml")
	impl := inProcess(t, reference.Spec{New: func() *plainQueue { return &plainQueue{} }})
	c := must(check.New(th, check.Options{Reference: impl}))
	log := "[1] call add(1)\n[1] return\n[2] call add(2)\n[2] return\n[3] call remove\n[3] return 1\n"
	got, err := c.CheckLog(t.Context(), strings.NewReader(log), "fifo.log")
	if err != nil || got.Verdict != check.Linearizable || !strings.Contains(got.Detail, "the first 6 events are a violation by theory stack, and the reference admits them") {
		t.Errorf("%+v, %v", got, err)
	}
	c = must(check.New(th, check.Options{Reference: inProcess(t, reference.Spec{New: func() *bank { return &bank{} }})}))
	if _, err := c.CheckLog(t.Context(), strings.NewReader(strings.Replace(log, "return 1", "return 7", 1)), "bad.log"); err == nil || !strings.Contains(err.Error(), "does not describe the reference") {
		t.Errorf("got %v", err)
	}
}

// inbox is a queue that loses its oldest value once there are more than 150.
type inbox struct{ plainQueue }

func (b *inbox) Add(v int) {
	if b.plainQueue.Add(v); len(b.items) > 150 {
		b.Remove()
	}
}

// TestTheoryOfSmaller: what a reference does with many values only it is asked about with all of them.
func TestTheoryOfSmaller(t *testing.T) {
	th := historytest.Theory(t, "examples/queue/queue.theory.yaml")
	c := must(check.New(th, check.Options{Reference: inProcess(t, reference.Spec{New: func() *inbox { return &inbox{} }})}))
	var log strings.Builder
	for i := range 151 {
		fmt.Fprintf(&log, "[%d] call add(%d)\n[%d] return\n", i, i, i)
	}
	for answer, want := range map[int]check.Verdict{1: check.Linearizable, 2: check.Violation} {
		got, err := c.CheckLog(t.Context(), strings.NewReader(fmt.Sprintf("%s[r] call remove\n[r] return %d\n", log.String(), answer)), "inbox.log")
		if err != nil || got.Verdict != want {
			t.Errorf("remove answers %d: %+v, %v", answer, got, err)
		}
	}
}

// TestNewWithoutTheory: what there is to decide, and what is refused.
func TestNewWithoutTheory(t *testing.T) {
	impl := inProcess(t, reference.Spec{New: func() *bank { return &bank{} }, Aliases: map[string][]string{"deposit": {"pay"}}})
	for _, tt := range []struct {
		options check.Options
		want    string
	}{
		{check.Options{}, "a theory, a reference or a model is needed"},
		{check.Options{Reference: impl, Model: "queue"}, "use one of them"},
		{check.Options{Reference: impl, Engine: "symbolic"}, "engine symbolic needs a theory"},
		{check.Options{Model: "quue"}, `did you mean "queue"?`},
		{check.Options{Reference: impl, Aliases: map[string][]string{"deposti": {"pay"}}}, `did you mean "deposit"?`},
	} {
		if _, err := check.New(nil, tt.options); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %s", tt.options, err, tt.want)
		}
	}
	c := must(check.New(nil, check.Options{Reference: impl, Aliases: map[string][]string{"deposit": {"pay"}}}))
	if err := c.Prepare(t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.CanFollow(t.Context()); err == nil {
		t.Error("a search follows a log")
	}
	for log, want := range map[string]string{
		"[1] call pay(3)\n[1] return\n[2] call balance\n[2] return 3\n": "",
		"[1] call payy(3)\n[1] return\n":                                `did you mean "pay"?`,
		"[1] call balance(3)\n":                                         "balance takes no arguments",
	} {
		r, err := c.CheckLog(t.Context(), strings.NewReader(log), "run.log")
		if want == "" && (err != nil || r.Verdict != check.Linearizable) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v, want %q", log, r, err, want)
		}
	}
	for _, tt := range []struct {
		label history.Label
		want  string
	}{
		{history.Label{Kind: history.Kind{Method: "balanc", Outcome: history.None}}, `did you mean "balance"?`},
		{history.Label{Kind: history.Kind{Method: "balance", Outcome: history.Nil}}, `balance has no outcome "nil"`},
		{history.Label{Kind: history.Kind{Method: "balance", Outcome: history.Some}}, "returns 1 values, not 0"},
		{history.Label{Kind: history.Kind{Method: "deposit", Outcome: history.None}}, "deposit takes 1 arguments, not 0"},
	} {
		_, err := c.Check(t.Context(), history.Sequential(tt.label))
		if !errors.As(err, new(*check.UnknownLabel)) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.label, err, tt.want)
		}
	}
}

// ids are handed out in any order, and taken back.
type ids map[int]bool

func acceptID(given ids, c reference.Claim) bool {
	if c.Method == "release" {
		delete(given, c.Args[0].(int))
		return true
	}
	id := c.Rets[0].(int)
	was := given[id]
	given[id] = true
	return id > 0 && !was
}

// idType is the same as a function; a state is the ids that are given.
func idType() historytest.Type {
	all := "abcdefghijklm"
	number := func(i int) history.Value { return history.Value(strconv.Itoa(i + 1)) }
	return historytest.Type{
		Methods: []historytest.Method{{Name: "take", Outcomes: []history.Outcome{history.Some}}, {Name: "release", Takes: 4, Outcomes: []history.Outcome{history.None}}},
		Model: func(state string, l *history.Label) (ways []historytest.Way) {
			for i, id := range all {
				switch given := strings.ContainsRune(state, id); {
				case l.Method == "take" && !given:
					ways = append(ways, historytest.Way{Outcome: history.Some, Rets: []history.Value{number(i)}, Next: state + string(id)})
				case l.Method == "release" && l.Args[0] == number(i):
					ways = append(ways, historytest.Way{Outcome: history.None, Next: strings.ReplaceAll(state, string(id), "")})
				}
			}
			return ways
		},
	}
}

// TestAcceptorCertain: an acceptor's pending calls may answer what is not in the log,
// so that a violation that depends on them is none.
func TestAcceptorCertain(t *testing.T) {
	impl := inProcess(t, reference.Spec{New: func() ids { return ids{} }, Accept: acceptID,
		Operations: []reference.Operation{{Name: "take", Func: (func() int)(nil)}, {Name: "release", Func: (func(int))(nil)}}})
	c := must(check.New(nil, check.Options{Reference: impl}))
	typ := idType()
	counts := map[check.Verdict]int{}
	for seed := range testsize.Samples(1500) {
		r := rand.New(rand.NewPCG(seed, 47))
		e := typ.Execution(r, 2+r.IntN(7), 1+r.IntN(3), 4)
		got, err := c.Check(t.Context(), e)
		want := typ.Model.ShortestViolation(e)
		counts[got.Verdict]++
		right := err == nil
		switch got.Verdict {
		case check.Linearizable:
			right = right && want == 0
		case check.Violation:
			right = right && want > 0 && (got.Prefix == want || got.Prefix > want && got.Detail != "")
		case check.Inconclusive:
			right = right && want > 0 && strings.Contains(got.Detail, "what it would answer cannot be listed")
		}
		if !right {
			t.Fatalf("seed %d: %+v, %v; by brute force the prefix is %d\n%s", seed, got, err, want, historytest.Text(e))
		}
		if got.Verdict == check.Violation {
			if x, err := c.Explain(t.Context(), e, got); err != nil || typ.Model.Linearizable(x.Execution) {
				t.Fatalf("seed %d: %+v, %v\n%s", seed, x, err, historytest.Text(e))
			}
		}
	}
	if counts[check.Violation] == 0 || counts[check.Linearizable] == 0 {
		t.Errorf("too one-sided a sample: %v", counts)
	}
	log := "[1] call take\n[1] return 3\n[2] call take\n[3] call take\n[3] return 3\n"
	got, err := c.CheckLog(t.Context(), strings.NewReader(log), "open.log")
	if err != nil || got.Verdict != check.Inconclusive {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestBatchOfReference: logs that are checked at the same time share the states of the
// reference, and each gets its verdict.
func TestBatchOfReference(t *testing.T) {
	impl := inProcess(t, reference.Spec{New: func() *casRegister { return &casRegister{} }})
	brute := asModel(t, impl)
	var sources []check.Source
	var want []int
	for seed := range uint64(60) {
		e := randomLog(rand.New(rand.NewPCG(seed, 53)), impl, brute, 8, 3)
		want = append(want, brute.ShortestViolation(e))
		var b bytes.Buffer
		if err := history.WriteText(&b, e); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, check.Source{Name: strconv.FormatUint(seed, 10), Open: func() (io.ReadCloser, error) { return io.NopCloser(&b), nil }})
	}
	batch := check.Batch{Checker: must(check.New(nil, check.Options{Reference: impl, Explain: true, Witness: true})), Parallel: 4}
	i := 0
	err := batch.Run(t.Context(), slices.Values(sources), func(r check.Report) {
		if r.Err != nil || r.Result.Prefix != want[i] || (r.Explanation != nil) != (want[i] > 0) || (r.Evidence != nil) != (want[i] == 0) ||
			want[i] > 0 && !strings.Contains(r.Unproved, "needs a theory") {
			t.Errorf("log %s: %+v, want %d", r.Name, r, want[i])
		}
		i++
	})
	if err != nil || i != len(sources) {
		t.Errorf("%d reports, %v", i, err)
	}
}
