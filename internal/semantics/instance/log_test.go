package instance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

func log(tb testing.TB, t *theory.Theory, lines string) *instance.Log {
	tb.Helper()
	l, err := instance.New(context.Background(), t, historytest.Log(tb, t, strings.TrimSpace(lines)))
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// TestNeeds: what it takes for operations to show a pattern. All operations of
// the logs overlap.
func TestNeeds(t *testing.T) {
	const queue = "[1] call add(1)\n[2] call add(2)\n[3] call remove\n[4] call remove\n[5] call remove\n[6] call add(6)\n[7] call remove\n" +
		"[1] return\n[2] return\n[3] return 2\n[4] return -\n[7] return 6\n"
	const set = "[1] call insert(1)\n[2] call remove(1)\n[3] call contains(1)\n[4] call insert(1)\n[5] call contains(2)\n" +
		"[1] return -\n[3] return 1\n[5] return -\n"
	const kept = "[1] call insert(1)\n[3] call contains(1)\n[4] call insert(1)\n[6] call remove(2)\n[1] return -\n[3] return 1\n[6] return -\n"
	for _, tt := range []struct {
		name, theory, log, pattern, ops string
		want                            []string
		err                             string
	}{
		{"a pending remove may join", "queue", queue, "remove-nil-after-add", "1 4", []string{"never 5 value 1", "order 1 4"}, ""},
		{"a completed one did", "queue", queue, "remove-nil-after-add", "2 4", nil, "[3] belongs to the match of [2], too"},
		{"what a whole match has", "queue", queue, "remove-nil-between-add-remove", "2 4 3", []string{"order 2 4", "order 4 3"}, ""},
		{"two matches", "queue", queue, "add-add-remove2", "1 2 3", []string{"never 5 value 1", "order 1 2", "order 2 3"}, ""},
		{"a pending remove that plays a part", "queue", queue, "remove-twice", "2 3 5", []string{"order 2 3", "order 3 5", "took 5 value 2"}, ""},
		{"a pending match target", "queue", queue, "remove-before-add", "7 6", []string{"order 7 6", "took 6 none 6"}, ""},
		{"without a match target", "queue", queue, "remove-unmatched", "7", []string{"never 6 none 6"}, ""},
		{"with one", "queue", queue, "remove-unmatched", "3", nil, "[3] may match [2], too"},
		{"another insert may be the target", "set", set, "contains-before-insert", "3 1", []string{"never 4 nil 4", "order 3 1", "never 4 nil 4", "never 2 value 1"}, ""},
		{"another insert cannot be the target", "set", kept, "contains-before-insert", "3 1", []string{"order 3 1"}, ""},
		{"an axiom that is kept", "set", set, "contains-value-agrees", "3", nil, "axiom contains-value-agrees is not broken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			facts, err := log(t, historytest.Example(t, tt.theory), tt.log).Needs(tt.pattern, strings.Fields(tt.ops))
			var got []string
			for _, f := range facts {
				got = append(got, f.String())
			}
			message := ""
			if err != nil {
				message = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || message != tt.err {
				t.Errorf("error %q, want %q; -want +got\n%s", message, tt.err, diff)
			}
		})
	}
}

// TestNew: theories whose matching labels do not decide are refused.
func TestNew(t *testing.T) {
	past := historytest.Example(t, "queue")
	past.Spec.Matching.Past = true
	if _, err := instance.New(context.Background(), past, &history.Execution{}); err == nil {
		t.Error("no error for a matching that depends on the order")
	}
	for _, name := range []string{"queue", "stack", "set", "register", "lock"} {
		th, err := theories.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := instance.New(context.Background(), th, &history.Execution{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInterrupted: how a pending operation of 32 results may take effect is
// beyond counting; the end of the context ends it.
func TestInterrupted(t *testing.T) {
	th, err := theory.Read(strings.NewReader(`apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: wide}
spec:
  methods:
    - {name: add, args: 32, outcomes: [{outcome: none}]}
    - {name: remove, outcomes: [{outcome: value, returns: 32}]}
  matching: {target: [method(x) = method(y) & method(x) != method(y)]}
  axioms: [{name: none, formula: 'forall x:Op. method(x) != remove'}]
`), "wide.yaml")
	if err != nil {
		t.Fatal(err)
	}
	values := "1"
	for i := 2; i <= 32; i++ {
		values += fmt.Sprint(", ", i)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, err := instance.New(ctx, th, historytest.Log(t, th, "[1] call add("+values+")", "[2] call remove"))
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	l.Joins("2", history.Some, "1", history.None)
	if ctx.Err() == nil {
		t.Error("all results were tried before the context ended")
	}
}
