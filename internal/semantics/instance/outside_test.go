package instance_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// withClear is the queue's theory with a method clear, and a rule about it.
func withClear(tb testing.TB, outcomes, rule string) *theory.Theory {
	tb.Helper()
	text := strings.Replace(historytest.Source(tb, "examples/queue/queue.theory.yaml"), "  language:\n", "    - name: clear\n      outcomes: "+outcomes+
		"\n  language:\n    - name: clears\n      formula: \""+rule+"\"\n", 1)
	th, err := theory.Read(strings.NewReader(text), "queue.theory.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	return th
}

// TestOutside: what the theory does not speak of, and why.
func TestOutside(t *testing.T) {
	plain, set := historytest.Example(t, "queue"), historytest.Example(t, "set")
	clear := withClear(t, "[{outcome: none}]", "forall x:Op. method(x) != clear")
	told := "[{outcome: 'true'}, {outcome: 'false'}]"
	sure := withClear(t, told, "forall x:Op. method(x) = clear -> outcome(x) = false")
	once := withClear(t, told, "forall x:Op, y:Op. method(x) = clear & outcome(x) = true & method(y) = clear & outcome(y) = true -> x = y")
	three := withClear(t, "[{outcome: none}]", "forall x:Op, y:Op, z:Op. method(x) = clear & method(y) = clear & method(z) = clear -> x = y | y = z | x = z")
	ordered := withClear(t, "[{outcome: none}]", "forall x:Op, y:Op. method(x) = clear & method(y) = add -> before(x, y)")
	free := historytest.Example(t, "queue")
	free.Spec.Language = nil
	for _, tt := range []struct {
		name   string
		theory *theory.Theory
		log    string // lines
		want   string
	}{
		{"inside", plain, "[1] call add(1)\n[2] call remove\n[1] return\n[2] return 1", ""},
		{"a method that a rule excludes", clear, "[4] call clear\n[4] return", "the log is outside the theory's language: [4] clear break the rule clears"},
		{"while it runs", clear, "[4] call clear", "[4] clear* has not returned, and may answer so that it breaks the rule clears"},
		{"with an answer", sure, "[4] call clear\n[4] return true", "[4] clear => true break the rule"},
		{"without it", sure, "[4] call clear\n[4] return false", ""},
		{"that may come", sure, "[4] call clear", "[4] clear* has not returned"},
		{"the second time", once, "[4] call clear\n[4] return true\n[5] call clear\n[5] return true", "[4] clear => true and [5] clear => true break the rule"},
		{"the first time", once, "[4] call clear\n[4] return true\n[5] call clear\n[5] return false", ""},
		{"the second time may come", once, "[4] call clear\n[4] return true\n[5] call clear", "[5] clear* has not returned"},
		{"more than two", three, "[4] call clear", "[4] clear* has not returned"},
		{"more than two, and all returned", three, "[4] call clear\n[4] return", ""},
		{"an order", ordered, "[4] call clear\n[4] return", "the rule clears of the theory's language is not about labels alone"},
		{"a value added again", plain, "[4] call add(7)\n[4] return\n[5] call add(7)\n[5] return", "[4] add(7) and [5] add(7) break the rule"},
		{"by one that runs", plain, "[4] call add(7)\n[4] return\n[5] call add(7)", "[5] add(7)* has not returned"},
		{"two match targets", free, "[1] call add(1)\n[1] return\n[2] call add(1)\n[2] return\n[3] call remove\n[3] return 1", "[3] remove => 1 has two match targets, [1] add(1) and [2] add(1)"},
		{"one that runs and may be a second", free, "[1] call add(1)\n[1] return\n[2] call add(1)\n[3] call remove\n[3] return 1", ""},
		{"an insert that may be one too many for its value alone", set, "[1] call insert(1)\n[1] return -\n[2] call insert(1)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := log(t, tt.theory, tt.log).Outside(tt.theory)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestUnknown: labels that a theory does not know are outside of it.
func TestUnknown(t *testing.T) {
	label := func(method string, out history.Outcome, args ...history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: out}, Args: args}
	}
	pq := historytest.Theory(t, "theories/priorityqueue.theory.yaml")
	for _, tt := range []struct {
		label history.Label
		want  string
	}{
		{label("push", history.None, "1"), "no such method"},
		{label("add", history.None), "another number of values"},
		{label("add", history.Nil, "1"), "other outcomes"},
		{label("add", history.None, "x"), "x"}, // no number
		{label("add", history.None, "1"), ""},
	} {
		l, err := instance.New(t.Context(), pq, history.Sequential(tt.label))
		if err != nil {
			t.Fatal(err)
		}
		err = l.Outside(pq)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.label, err, tt.want)
		}
	}
}

// TestOutsideTwin: of random executions, those that an engine refuses, or whose
// prefixes it cannot decide because pending operations may leave the language, are
// outside here, too: nothing is derived where the theory says nothing. Completed
// operations are judged alike.
func TestOutsideTwin(t *testing.T) {
	n := testsize.Samples(500)
	for _, s := range append(historytest.Examples(), historytest.Worksteal()) {
		t.Run(s.Name, func(t *testing.T) {
			th := historytest.Example(t, s.Name)
			g, err := ground.Compile(th, nil)
			if err != nil {
				t.Fatal(err)
			}
			refused, inside := 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 101))
				typ := s
				if r.IntN(2) == 0 {
					typ = typ.Reusing(5)
				}
				e := typ.Execution(r, 2+r.IntN(5), 1+r.IntN(3), r.IntN(4))
				l, err := instance.New(t.Context(), th, e)
				if err != nil {
					t.Fatal(err)
				}
				outside, err := l.Outside(th), g.Validate(t.Context(), e)
				lost := errors.As(err, new(*clauses.LanguageError)) || errors.As(err, new(*ground.Ambiguous))
				complete := true
				for i := range e.Ops {
					complete = complete && e.Ops[i].Completed()
				}
				if lost && outside == nil || complete && outside != nil && !lost {
					historytest.Fatal(t, e, "seed %d: outside %v, the engine says %v", seed, outside, err)
				}
				if outside != nil {
					refused++
				} else {
					inside++
				}
			}
			t.Logf("%d outside, %d inside", refused, inside)
			if inside < int(n)/5 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

// TestFacts: which facts mean something, which exclude each other, and what
// operations may be.
func TestFacts(t *testing.T) {
	l := log(t, historytest.Example(t, "queue"), "[1] call add(1)\n[1] return\n[2] call add(2)\n[3] call remove\n[4] call remove\n[4] return 1\n[5] call remove")
	took := func(a string, out history.Outcome, b string) evidence.Fact {
		return evidence.Fact{Is: evidence.Took, A: a, B: b, Outcome: out}
	}
	for _, tt := range []struct {
		fact evidence.Fact
		want bool
	}{
		{evidence.Fact{Is: evidence.Before, A: "1", B: "2"}, true},
		{evidence.Fact{Is: evidence.Before, A: "1", B: "1"}, false},
		{evidence.Fact{Is: evidence.Before, A: "1", B: "9"}, false},
		{evidence.Fact{Is: evidence.Before, A: "9", B: "1"}, false},
		{took("3", history.Some, "1"), true},
		{took("3", history.Some, "9"), false},
		{took("3", history.None, "1"), false}, // no outcome of remove
		{took("4", history.Some, "1"), false}, // it has returned
		{took("2", history.None, "2").Opposite(), true},
	} {
		if got := l.Meaningful(tt.fact); got != tt.want {
			t.Errorf("%s is meaningful: %v", tt.fact, got)
		}
	}
	for _, tt := range []struct {
		took, other evidence.Fact
		want        bool
	}{
		{took("3", history.Some, "1"), took("3", history.Nil, "3"), true},
		{took("3", history.Some, "1"), took("3", history.Some, "2"), true}, // no two values
		{took("3", history.Some, "1"), took("3", history.Some, "1"), false},
		{took("3", history.Some, "3"), took("3", history.Some, "2"), false}, // whatever it matches
		{took("3", history.Some, "1"), took("5", history.Some, "2"), false},
		{took("3", history.Some, "1").Opposite(), took("3", history.Some, "2"), false},
	} {
		if got := l.Exclude(tt.took, tt.other); got != tt.want {
			t.Errorf("%s excludes %s: %v", tt.took, tt.other, got)
		}
	}
	for pair, want := range map[[2]string]bool{{"1", "4"}: true, {"4", "1"}: false, {"2", "4"}: false, {"1", "9"}: false, {"9", "1"}: false} {
		if got := l.Before(pair[0], pair[1]); got != want {
			t.Errorf("%v in real time: %v", pair, got)
		}
	}
	for op, want := range map[string]string{"1": "[add]", "2": "[add]", "3": "[remove => value remove => nil]", "4": "[remove => value]"} {
		if got := fmt.Sprint(l.Kinds(op)); got != want {
			t.Errorf("[%s] may be %s, want %s", op, got, want)
		}
	}
	for _, tt := range []struct {
		op, target string
		out        history.Outcome
		want       bool
	}{{"3", "1", history.Some, true}, {"3", "1", history.Nil, false}, {"4", "1", history.Some, true}, {"4", "2", history.Some, false}} {
		if got := l.Joins(tt.op, tt.out, tt.target, history.None); got != tt.want {
			t.Errorf("[%s] joins [%s]: %v", tt.op, tt.target, got)
		}
	}
}

// TestNeedsErrors: what is no instance of a pattern, or of an axiom.
func TestNeedsErrors(t *testing.T) {
	l := log(t, historytest.Example(t, "queue"), "[1] call add(1)\n[1] return\n[2] call add(2)\n[2] return\n[3] call remove\n[3] return 2")
	for _, tt := range []struct{ name, ops, want string }{
		{"add-add-remove2", "1 2 9", "[9] is no operation"},
		{"add-add-remove2", "1 2 2", "named twice"},
		{"add-add-remove2", "1 2", "the pattern has 3 operations, not 2"},
		{"add-add-remove2", "3 2 1", "is not of the kind"},
		{"add-add-remove2", "2 1 3", "[3] belongs to the match of [2], too"},
		{"add-add-remove", "1 2 3", "no pattern"},
	} {
		if _, err := l.Needs(tt.name, strings.Fields(tt.ops)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %s: %v, want %q", tt.name, tt.ops, err, tt.want)
		}
	}
}

// TestWidth: evidence is about sequences.
func TestWidth(t *testing.T) {
	if _, err := instance.New(context.Background(), historytest.Theory(t, "theories/exchanger.theory.yaml"), &history.Execution{}); err == nil || !strings.Contains(err.Error(), "width 2") {
		t.Errorf("got %v", err)
	}
}
