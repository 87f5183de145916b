package verify_test

import (
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// withClear is the queue's theory with a method clear, and a rule about it.
func withClear(t testing.TB, outcomes, rule string) *theory.Theory {
	t.Helper()
	text := historytest.Source(t, "examples/queue/queue.theory.yaml")
	text = strings.Replace(text, "  language:\n", "    - name: clear\n      outcomes: "+outcomes+"\n  language:\n"+
		"    - name: never-cleared\n      reading: the queue is never cleared\n      formula: \""+rule+"\"\n", 1)
	th, err := theory.Read(strings.NewReader(text), "queue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// TestOutside: no derivation counts of a log that the theory does not speak of.
// All but the last of these are linearizable if the queue has a method clear.
func TestOutside(t *testing.T) {
	plain := historytest.Example(t, "queue")
	clear := withClear(t, "[{outcome: none}]", "forall x:Op. method(x) != clear")
	sure := withClear(t, "[{outcome: 'true'}, {outcome: 'false'}]", "forall x:Op. method(x) = clear -> outcome(x) = false")
	once := withClear(t, "[{outcome: 'true'}, {outcome: 'false'}]",
		"forall x:Op, y:Op. method(x) = clear & outcome(x) = true & method(y) = clear & outcome(y) = true -> x = y")
	three := withClear(t, "[{outcome: none}]", "forall x:Op, y:Op, z:Op. method(x) = clear & method(y) = clear & method(z) = clear -> x = y | y = z | x = z")
	ordered := withClear(t, "[{outcome: none}]", "forall x:Op, y:Op. method(x) = clear & method(y) = add -> before(x, y)")
	add := []string{"[1] call add(1)", "[1] return"}
	take := []string{"[2] call add(2)", "[2] return", "[3] call remove", "[3] return 2"}
	for _, tt := range []struct {
		name  string
		th    *theory.Theory
		lines []string
		want  string
	}{
		{"a method that the rule excludes", clear, []string{"[4] call clear", "[4] return"}, "the log is outside the theory's language: [4] clear break the rule never-cleared"},
		{"while it runs", clear, []string{"[4] call clear"}, "[4] clear* has not returned, and may answer so that it breaks the rule never-cleared (the queue is never cleared)"},
		{"with an answer", sure, []string{"[4] call clear", "[4] return true"}, "the log is outside the theory's language: [4] clear => true break the rule"},
		{"that may come", sure, []string{"[4] call clear"}, "[4] clear* has not returned, and may answer so that it breaks the rule"},
		{"the second time", once, []string{"[4] call clear", "[4] return true", "[5] call clear", "[5] return true"}, "[4] clear => true and [5] clear => true break the rule"},
		{"the second time may come", once, []string{"[4] call clear", "[4] return true", "[5] call clear"}, "[5] clear* has not returned, and may answer so that it breaks the rule"},
		{"more than two", three, []string{"[4] call clear"}, "[4] clear* has not returned, and may answer so that it breaks the rule"},
		{"an order", ordered, []string{"[4] call clear", "[4] return"}, "the rule never-cleared of the theory's language is not about labels alone"},
		{"a value added again", plain, []string{"[4] call add(7)", "[4] return", "[5] call add(7)", "[5] return"}, "the log is outside the theory's language: [4] add(7) and [5] add(7) break the rule"},
		{"by one that runs", plain, []string{"[4] call add(7)", "[4] return", "[5] call add(7)"}, "[5] add(7)* has not returned, and may answer so"},
		{"inside", clear, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lines := append(append(append([]string(nil), add...), tt.lines...), take...)
			e := historytest.Log(t, tt.th, lines...)
			steps := []evidence.Step{{By: "add-add-remove2", Ops: []string{"1", "2", "3"}}}
			err := check(t, tt.th, e, &evidence.Evidence{Violation: true, Prefix: e.Events, Steps: steps})
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("rejected: %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestOutsideOneMatch: a pending insert may break the language of the set, and
// that is about its value alone.
func TestOutsideOneMatch(t *testing.T) {
	th := historytest.Example(t, "set")
	again := []string{"[1] call insert(1)", "[1] return -", "[2] call insert(1)", "[3] call remove(1)", "[3] return 1", "[4] call contains(1)", "[4] return 1"}
	other := append(again[:len(again):len(again)], "[5] call contains(2)", "[5] return 2")
	for _, tt := range []struct {
		name, by string
		lines    []string
		ops      []string
		accepted bool
	}{
		{"another value", "contains-unmatched", other, []string{"5"}, true},
		{"this value", "contains-after-remove", again, []string{"1", "3", "4"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := historytest.Log(t, th, tt.lines...)
			steps := []evidence.Step{{By: tt.by, Ops: tt.ops}}
			if err := check(t, th, e, &evidence.Evidence{Violation: true, Prefix: e.Events, Steps: steps}); (err == nil) != tt.accepted {
				t.Errorf("got %v", err)
			}
		})
	}
}
