package verify_test

import (
	"bytes"
	"strings"
	"testing"

	checking "github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

const gate = `apiVersion: adtinfer/v1alpha1
kind: Theory
metadata:
  name: gate
spec:
  methods:
    - name: ok
      args: 0
      outcomes: [{outcome: "true"}]
    - name: shut
      args: 0
      outcomes: [{outcome: none}, {outcome: ErrShut, error: shut}]
    - name: take
      args: 0
      outcomes: [{outcome: value, returns: 1}, {outcome: ErrShut, error: shut}]
      results: [int]
  automaton: |
    -> (l1)  shut             (l2)
             ok   => true     (l1)
             take => 0        (l1)
       (l2)  shut => ErrShut  (l2)
             ok   => true     (l2)
             take => ErrShut  (l2)
`

// inRuns is what a theory says that was only compared with a reference in runs.
const inRuns = `status:
  automaton:
    why: not all states were compared
    words: 100
    calls: 1000
    longest: 12
`

// TestAnswer: evidence that an operation has an answer that its method never has is accepted of the one that has it,
// after it has returned, if the theory says all, and else of none.
func TestAnswer(t *testing.T) {
	const log = "[1] call ok\n[1] return true\n[2] call take\n[2] return 7, ErrShut\n[3] call ok\n[3] return false\n"
	for _, tt := range []struct {
		name, theory string
		prefix       int
		step         evidence.Step
		want         string // of the error
	}{
		{"an outcome", gate, 6, evidence.Step{Answer: true, Ops: []string{"3"}}, ""},
		{"beside an error", gate, 4, evidence.Step{Answer: true, Ops: []string{"2"}}, ""},
		{"a right answer", gate, 6, evidence.Step{Answer: true, Ops: []string{"1"}}, "ok may answer so"},
		{"too early", gate, 5, evidence.Step{Answer: true, Ops: []string{"3"}}, "[3] has not returned in the first 5 events"},
		{"nobody", gate, 6, evidence.Step{Answer: true, Ops: []string{"4"}}, "[4] has not returned"},
		{"two", gate, 6, evidence.Step{Answer: true, Ops: []string{"2", "3"}}, "is all that there is to say"},
		{"seen in runs", gate + inRuns, 6, evidence.Step{Answer: true, Ops: []string{"3"}}, "the theory may not have seen all that ok answers"},
		{"beside an error, seen in runs", gate + inRuns, 6, evidence.Step{Answer: true, Ops: []string{"2"}}, ""},
		{"no step", gate, 6, evidence.Step{Ops: []string{"3"}}, "only linearizations are evidence for it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th, err := theory.Read(strings.NewReader(tt.theory), "gate.yaml")
			if err != nil {
				t.Fatal(err)
			}
			sig, err := th.Signature(nil)
			if err != nil {
				t.Fatal(err)
			}
			e, err := history.ReadLog(strings.NewReader(log), "run.log", sig)
			if err != nil {
				t.Fatal(err)
			}
			ev := &evidence.Evidence{Theory: "gate", Log: evidence.Digest(e), Violation: true, Prefix: tt.prefix, Steps: []evidence.Step{tt.step}}
			err = verify.Check(t.Context(), th, e, ev, nil)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if err != nil {
				return
			}
			var b bytes.Buffer
			if err := evidence.Write(&b, ev); err != nil {
				t.Fatal(err)
			}
			again, err := evidence.Read(&b, "x")
			if err == nil {
				err = verify.Check(t.Context(), th, e, again, nil)
			}
			if err != nil {
				t.Errorf("read again: %v", err)
			}
		})
	}
}

// TestAnswerOutside: nothing is said of a log that the theory does not cover before the answer.
func TestAnswerOutside(t *testing.T) {
	th := historytest.Example(t, "queue")
	for first, want := range map[string]string{"[2] call add(2)": "", "[2] call add(1)": "[1] add(1) and [2] add(1) break the rule"} {
		e := historytest.Log(t, th, "[1] call add(1)", "[1] return", first, "[2] return", "[3] call remove", "[3] return 7, false")
		ev := &evidence.Evidence{Theory: "queue", Log: evidence.Digest(e), Violation: true, Prefix: 6, Steps: []evidence.Step{{Answer: true, Ops: []string{"3"}}}}
		if err := verify.Check(t.Context(), th, e, ev, nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", first, err, want)
		}
	}
}

// TestAnswerWitness: check makes such evidence, of its own theories alone.
func TestAnswerWitness(t *testing.T) {
	for text, want := range map[string]string{gate: "contradiction answer 1", gate + inRuns: ""} {
		th, err := theory.Read(strings.NewReader(text), "gate.yaml")
		if err != nil {
			t.Fatal(err)
		}
		c, err := checking.New(th, checking.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.ReadLog(strings.NewReader("[1] call ok\n[1] return false\n"), "run.log")
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Check(t.Context(), e)
		if err != nil || (r.Verdict == checking.Violation) != (want != "") {
			t.Fatalf("%+v, %v", r, err)
		}
		if want == "" {
			continue
		}
		ev, err := c.Witness(t.Context(), e, r)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := evidence.Write(&b, ev); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v: %s", err, &b)
		}
		if err := verify.Check(t.Context(), th, e, ev, nil); err != nil {
			t.Error(err)
		}
	}
}
