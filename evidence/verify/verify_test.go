package verify_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// swapped: 2 is removed first although 1 was added first. Only a pending remove
// could have taken 1, and [5] returned nothing.
var swapped = []string{
	"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[3] call remove", "[4] call remove",
	"[4] return 2", "[5] call remove", "[5] return -", "[6] call remove"}

func order(a, b string) evidence.Fact { return evidence.Fact{Is: evidence.Before, A: a, B: b} }

func took(op, of string) evidence.Fact {
	return evidence.Fact{Is: evidence.Took, A: op, Outcome: history.Some, B: of}
}

// TestDerivation: what is accepted, and which line is wrong of what is not.
func TestDerivation(t *testing.T) {
	th := historytest.Example(t, "queue")
	e := historytest.Log(t, th, swapped...)
	end := evidence.Step{By: "add-add-remove2", Ops: []string{"1", "2", "4"}}
	forced := evidence.Step{Fact: took("3", "1"), By: "add-add-remove2", Ops: []string{"1", "2", "4"}}
	late := evidence.Step{Fact: order("3", "4"), By: "add-add-remove2-remove1", Ops: []string{"1", "2", "4", "3"}}
	for _, tt := range []struct {
		name   string
		prefix int
		steps  []evidence.Step
		want   string
		line   int
	}{
		{"nothing", 9, nil, "the derivation does not end in a contradiction", 0},
		{"a pending operation may help", 9, []evidence.Step{end}, `it rests on "never 3 value 1", and no step says that`, 5},
		{"it must", 9, []evidence.Step{forced}, "the derivation does not end in a contradiction", 0},
		{"and come first", 9, []evidence.Step{forced, late}, "the derivation does not end in a contradiction", 0},
		{"before it is known to", 9, []evidence.Step{late}, `it rests on "took 3 value 1", and no step says that`, 5},
		{"supposed, and left open", 9, []evidence.Step{{Suppose: true, Fact: took("3", "1").Opposite()}, end}, "the derivation does not end in a contradiction", 0},
		{"supposed, for the opposite", 9, []evidence.Step{{Suppose: true, Fact: took("3", "1").Opposite()}, end, late, end}, `it rests on "never 3 value 1", and no step says that`, 8},
		{"a path", 9, []evidence.Step{{Fact: order("1", "4"), Ops: []string{"2"}}}, "the derivation does not end in a contradiction", 0},
		{"no path", 9, []evidence.Step{{Fact: order("3", "4"), Ops: []string{"2"}}}, `it rests on "order 3 2", and no step says that`, 5},
		{"no circle", 9, []evidence.Step{{Ops: []string{"1", "2", "4"}}}, `it rests on "order 4 1", and no step says that`, 5},
		{"nothing before itself", 9, []evidence.Step{{Suppose: true, Fact: order("1", "1")}}, `there is no fact "order 1 1" of this log`, 5},
		{"a completed operation took effect", 9, []evidence.Step{{Suppose: true, Fact: took("4", "1")}}, `there is no fact "took 4 value 1" of this log`, 5},
		{"an operation that was not called yet", 9, []evidence.Step{{Suppose: true, Fact: order("1", "6")}}, `there is no fact "order 1 6" of this log`, 5},
		{"no reason", 9, []evidence.Step{{Fact: order("1", "3")}}, "it names no operations", 5},
		{"no pattern", 9, []evidence.Step{{By: "add", Ops: []string{"1"}}}, `the theory has no pattern, and no axiom about one label, "add"`, 5},
		{"too few operations", 9, []evidence.Step{{By: end.By, Ops: []string{"1", "2"}}}, "the pattern has 3 operations, not 2", 5},
		{"one operation twice", 9, []evidence.Step{{By: end.By, Ops: []string{"1", "1", "4"}}}, "[1] is no operation, or named twice", 5},
		{"another kind", 9, []evidence.Step{{By: end.By, Ops: []string{"1", "2", "5"}}}, "[5] is not of the kind of the pattern's operation 3", 5},
		{"another match", 9, []evidence.Step{{By: "remove-twice", Ops: []string{"1", "4", "3"}}}, "[4] does not match [1]", 5},
		{"not the whole match", 9, []evidence.Step{{By: end.By, Ops: []string{"2", "1", "3"}}}, "[4] belongs to the match of [2], too", 5},
		{"a longer prefix", 11, nil, "the log has only 10 events, not 11", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := check(t, th, e, &evidence.Evidence{Violation: true, Prefix: tt.prefix, Steps: tt.steps})
			rejected(t, err, tt.want, tt.line)
		})
	}
	e = historytest.Log(t, th, append(swapped[:4:4], swapped[5:]...)...) // without [3]
	if err := check(t, th, e, &evidence.Evidence{Violation: true, Prefix: 6, Steps: []evidence.Step{end}}); err != nil {
		t.Errorf("rejected: %v", err)
	}
	err := check(t, th, e, &evidence.Evidence{Violation: true, Prefix: 6, Steps: []evidence.Step{end, end}})
	rejected(t, err, "the derivation has ended before", 6)
}

func TestLinearization(t *testing.T) {
	th := historytest.Example(t, "queue")
	e := historytest.Log(t, th, swapped[:8]...)
	take := func(ids ...string) (order []evidence.Taken) {
		for _, id := range ids {
			op, value, answered := strings.Cut(id, "=")
			taken := evidence.Taken{Op: op}
			if answered {
				taken.Outcome, taken.Rets = history.Some, []history.Value{history.Value(value)}
			}
			order = append(order, taken)
		}
		return order
	}
	for _, tt := range []struct {
		name  string
		order []evidence.Taken
		want  string
		line  int
	}{
		{"right", take("1", "2", "3=1", "4"), "", 0},
		{"one is missing", take("1", "3=1", "4"), "1 operations that returned are missing", 0},
		{"the last is missing", take("1", "2", "3=1"), "1 operations that returned are missing", 0},
		{"one comes twice", take("1", "2", "3=1", "4", "1"), "[1] is no operation of the log, or was taken already", 9},
		{"one is not there", take("1", "2", "9"), "[9] is no operation of the log, or was taken already", 7},
		{"against real time", take("2", "1", "3=1", "4"), "[1] returned before an earlier one was called", 6},
		{"no answer", take("1", "2", "3", "4"), "the answer of [3] must be given if it has not returned, and only then", 7},
		{"another answer", take("1", "2", "3=1", "4=2"), "the answer of [4] must be given if it has not returned, and only then", 8},
		{"out of order", take("1", "2", "4", "3=1"), "the specification does not admit [4] remove => 2 here", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rejected(t, check(t, th, e, &evidence.Evidence{Order: tt.order}), tt.want, tt.line)
		})
	}
	if err := verify.Check(t.Context(), th, e, &evidence.Evidence{Theory: "queue", Log: evidence.Digest(e)}, nil); err == nil || errors.As(err, new(*verify.Wrong)) {
		t.Errorf("without a specification: %v", err)
	}
}

func TestOther(t *testing.T) {
	th := historytest.Example(t, "queue")
	e, other := historytest.Log(t, th, swapped...), historytest.Log(t, th, swapped[:8]...)
	err := verify.Check(t.Context(), th, e, &evidence.Evidence{Theory: "queue", Log: evidence.Digest(other)}, historytest.Queue().Model.Admits)
	rejected(t, err, "the evidence is for another log", 0)
	err = verify.Check(t.Context(), th, e, &evidence.Evidence{Theory: "stack", Log: evidence.Digest(e)}, historytest.Queue().Model.Admits)
	rejected(t, err, "the evidence is for theory stack, not queue", 0)
}

// check verifies evidence after it was written and read, so that it has lines:
// the first step is on line 5.
func check(t *testing.T, th *theory.Theory, e *history.Execution, ev *evidence.Evidence) error {
	t.Helper()
	ev.Theory, ev.Log = th.Name, evidence.Digest(e)
	var b bytes.Buffer
	if err := evidence.Write(&b, ev); err != nil {
		t.Fatal(err)
	}
	read, err := evidence.Read(&b, "x")
	if err != nil { // steps that no file can say
		read = ev
	}
	return verify.Check(t.Context(), th, e, read, historytest.Queue().Model.Admits)
}

func rejected(t *testing.T, err error, want string, line int) {
	t.Helper()
	var wrong *verify.Wrong
	switch {
	case want == "" && err == nil:
	case !errors.As(err, &wrong):
		t.Errorf("got %v, want %s", err, want)
	case wrong.Msg != want || wrong.Line != line && wrong.Line != 0:
		t.Errorf("line %d: %s, want line %d: %s", wrong.Line, wrong.Msg, line, want)
	}
}

// TestSize: the verifier is short enough to be read whole.
func TestSize(t *testing.T) {
	text, err := os.ReadFile("verify.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n > 200 {
		t.Errorf("verify.go has %d lines, and 200 are enough", n)
	}
}

// TestInterrupted: evidence is neither accepted nor rejected once the context
// has ended.
func TestInterrupted(t *testing.T) {
	th := historytest.Example(t, "queue")
	e := historytest.Log(t, th, swapped...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, by := range []string{"add-add-remove2", "no such pattern"} {
		ev := &evidence.Evidence{Theory: th.Name, Log: evidence.Digest(e), Violation: true, Prefix: 9,
			Steps: []evidence.Step{{By: by, Ops: []string{"1", "2", "4"}}}}
		if err := verify.Check(ctx, th, e, ev, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v, want that of the context", by, err)
		}
	}
}
