package check_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// bag has operations whose pending ones may belong to any value: a remove takes
// any value that is there, and nothing looks at emptiness.
var bag = source{
	name: "bag",
	methods: []history.MethodSig{method("add", 1, history.None), method("remove", 0, history.Some),
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

// bagType is a bag whose remove waits for a value, and mostly for good.
func bagType() historytest.Type {
	t := historytest.Bag()
	model := t.Model
	t.Model = func(state string, l *history.Label) []historytest.Way {
		if l.Method == "remove" && state == "" {
			return nil
		}
		return model(state, l)
	}
	t.Methods = []historytest.Method{
		{Name: "add", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.None}},
		{Name: "remove", Outcomes: []history.Outcome{history.Some}},
		{Name: "has", Takes: 4, Outcomes: []history.Outcome{history.True, history.False}},
	}
	t.Lost = 3
	return t
}

// TestPartitionedAgrees compares with the same engine on the whole.
func TestPartitionedAgrees(t *testing.T) {
	for _, s := range []subject{{bag, bagType()}, {set, historytest.Set()}, {queue, historytest.Queue()}} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			th := build(t, s.source)
			symbolic := ready(t, check.Symbolic{}, th)
			var engines [3]check.Engine
			for i, e := range []check.Engine{check.Symbolic{}, check.WGL{}, check.Enumerate{}} {
				engines[i] = ready(t, check.Partitioned{Engine: e}, th)
			}
			counts := map[check.Verdict]int{}
			parted := 0
			n := testsize.Samples(400)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 41))
				e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 4)
				want, wantErr := symbolic.Check(t.Context(), th, e)
				engine := engines[seed%3]
				got, err := engine.Check(t.Context(), th, e)
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("seed %d: %v, on the whole %v\n%s", seed, err, wantErr, historytest.Text(e))
				}
				counts[want.Verdict]++
				if got.Parts > 1 {
					parted++
				}
				if got.Verdict == check.Violation && want.Verdict == check.Inconclusive {
					continue // a part violates whatever is not known of the others
				}
				if got.Verdict != want.Verdict || got.Detail == "" && want.Detail == "" && got.Prefix != want.Prefix {
					t.Fatalf("seed %d, %s: %+v, on the whole %+v\n%s", seed, engine.Name(), got, want, historytest.Text(e))
				}
			}
			t.Log(counts, parted)
			if counts[check.Violation] < int(n)/5 || counts[check.Linearizable] < int(n)/8 || (parted > int(n)/4) != (s.name != "queue") {
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
		e := historytest.Log(t, th, lines...).Prefix(tt.events)
		got, err := check.Partitioned{Engine: check.Symbolic{}}.Check(t.Context(), th, e)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%d events: %v, -want +got\n%s", tt.events, err, diff)
		}
	}
}
