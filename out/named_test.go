package out_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/out"
	"github.com/adtinfer/adtinfer/theory"
)

const switchTheory = `apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: switch}
spec:
  methods:
    - {name: set, args: 1, params: [{enum: int, names: ["off", "dim", "full"]}], outcomes: [{outcome: none}]}
    - {name: state, outcomes: [{outcome: value, returns: 1}], results: [{enum: int, names: ["off", "dim", "full"]}]}
    - {name: count, outcomes: [{outcome: value, returns: 1}], results: [int]}
  automaton: |
    -> (a)  set(x) if x = 2    (b)
                   otherwise   (a)
            state       => 0   (a)
            count       => 1   (a)
       (b)  set(x)             (b)
            state       => 2   (b)
            count       => 2   (b)
`

// TestNames: constants of types with names are drawn by these, and others as they are.
func TestNames(t *testing.T) {
	th, err := theory.Read(strings.NewReader(switchTheory), "switch.yaml")
	if err != nil {
		t.Fatal(err)
	}
	before := th.Spec.Automaton.String()
	var b bytes.Buffer
	if err := out.Markdown(&b, th); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`state           => "off"`, `state           => "full"`, "count           => 1", "count           => 2", `set(x) if x = "full"`} {
		if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if after := th.Spec.Automaton.String(); after != before {
		t.Errorf("the theory has changed: %s", after)
	}
}
