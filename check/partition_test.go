package check_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// bag has operations whose pending ones may belong to any value: a remove takes
// any value that is there, and nothing looks at emptiness.
var bag = source{
	name: "bag",
	methods: []theory.Method{method("add", 1, history.None), method("remove", 0, history.Some),
		method("has", 1, history.True, history.False)},
	language: []string{"forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y"},
	target: []string{
		"method(y) = add & (method(x) = remove & arg(y) = ret(x) | method(x) = has & arg(y) = arg(x))",
		"y = x & (method(x) = add | method(x) = has & outcome(x) = false)",
	},
	readOnly: "method(x) = has",
	patterns: []string{
		"[1:X] remove => v1",
		"[1:X] has(v1) => true (RO)",
		"[1:2] remove => v2; [2:2] add(v2)",
		"[1:1] add(v1); [2:1] remove => v1; [3:1] remove => v1",
		"[1:2] has(v2) => true (RO); [2:2] add(v2)",
		"[1:2] has(v2) => true (RO); [2:2] add(v2); [3:2] remove => v2",
		"[1:1] add(v1); [2:1] has(v1) => false (RO)",
		"[1:1] add(v1); [2:1] has(v1) => false (RO); [3:1] remove => v1",
		"[1:1] add(v1); [2:1] remove => v1; [3:1] has(v1) => true (RO)",
	},
}

func bagExecution(r *rand.Rand, ops, processes int) *history.Execution {
	e := &history.Execution{}
	running := make([]int, processes)
	adds := 0
	value := func() history.Value { return history.Value(rune('1' + r.IntN(min(adds+1, 4)))) }
	for range 4 * ops {
		p := r.IntN(processes)
		if i := running[p] - 1; i >= 0 {
			o := &e.Ops[i]
			if o.Method == "remove" && r.IntN(2) == 0 {
				continue // mostly for good
			}
			o.Return, running[p] = e.Events, 0
			e.Events++
			switch o.Method {
			case "add":
				o.Outcome = history.None
			case "remove":
				o.Outcome, o.Rets = history.Some, []history.Value{value()}
			case "has":
				o.Outcome = []history.Outcome{history.True, history.False}[r.IntN(2)]
			}
			continue
		}
		if len(e.Ops) == ops {
			continue
		}
		o := history.Operation{ID: string(rune('a' + len(e.Ops))), Call: e.Events, Return: history.NoReturn}
		switch r.IntN(3) {
		case 0:
			adds++
			o.Method, o.Args = "add", []history.Value{history.Value(rune('0' + adds))}
		case 1:
			o.Method = "remove"
		case 2:
			o.Method, o.Args = "has", []history.Value{value()}
		}
		e.Ops = append(e.Ops, o)
		e.Events++
		running[p] = len(e.Ops)
	}
	return e
}

// TestPartitionedAgrees compares with the same engine on the whole.
func TestPartitionedAgrees(t *testing.T) {
	engines := []check.Engine{check.Symbolic{}, check.WGL{}, check.Enumerate{}}
	for _, tt := range []struct {
		of        source
		execution func(r *rand.Rand) *history.Execution
	}{
		{bag, func(r *rand.Rand) *history.Execution { return bagExecution(r, 2+r.IntN(6), 1+r.IntN(4)) }},
		{set, func(r *rand.Rand) *history.Execution {
			return subjects[4].execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
		}},
		{queue, func(r *rand.Rand) *history.Execution {
			return subjects[0].execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
		}},
	} {
		t.Run(tt.of.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, tt.of)
			counts := map[check.Verdict]int{}
			parted := 0
			for seed := range uint64(400) {
				r := rand.New(rand.NewPCG(seed, 41))
				e := tt.execution(r)
				want, wantErr := check.Symbolic{}.Check(t.Context(), th, e)
				engine := engines[seed%3]
				got, err := check.Partitioned{Engine: engine}.Check(t.Context(), th, e)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("seed %d: %v, on the whole %v\n%s", seed, err, wantErr, text(e))
				}
				counts[want.Verdict]++
				if got.Parts > 1 {
					parted++
				}
				if got.Verdict == check.Violation && want.Verdict == check.Inconclusive {
					continue // a part violates whatever is not known of the others
				}
				if got.Verdict != want.Verdict || got.Detail == "" && want.Detail == "" && got.Prefix != want.Prefix {
					t.Fatalf("seed %d, %s: %+v, on the whole %+v\n%s", seed, engine.Name(), got, want, text(e))
				}
			}
			t.Log(counts, parted)
			if counts[check.Violation] < 80 || counts[check.Linearizable] < 50 || (parted > 100) != (tt.of.name != "queue") {
				t.Errorf("too one-sided a sample: %v, %d in parts", counts, parted)
			}
		})
	}
}

// TestSharedPending: two values are gone, and removes may have taken either.
func TestSharedPending(t *testing.T) {
	th := build(t, bag)
	lines := []string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[3] call add(3)", "[3] return",
		"[8] call remove", "[9] call remove",
		"[4] call has(1)", "[4] return false", "[5] call has(2)", "[5] return false", "[6] call has(3)", "[6] return false"}
	for _, tt := range []struct {
		events int
		want   check.Result
	}{
		{10, check.Result{Verdict: check.Linearizable, Parts: 3}},
		{12, check.Result{Verdict: check.Linearizable, Parts: 3}},
		{14, check.Result{Verdict: check.Violation, Prefix: 14, Parts: 3, Patterns: []string{"[1:1] add(v1); [2:1] has(v1) => false (RO)"}}},
	} {
		tt.want.Engine, tt.want.Events = "partition symbolic", tt.events
		e := log(t, th, lines...).Prefix(tt.events)
		got, err := check.Partitioned{Engine: check.Symbolic{}}.Check(t.Context(), th, e)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%d events: %v, -want +got\n%s", tt.events, err, diff)
		}
	}
}
