package check_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// TestPendingMayLeave: a pending operation that may complete outside the language
// is no reason for a violation, also where the matching hides from the others that
// it may be what they need. The data types admit all of these.
func TestPendingMayLeave(t *testing.T) {
	hashmap := historytest.Theory(t, "check/testdata/hashmap.theory.yaml")
	presence := historytest.Theory(t, "check/testdata/presence.theory.yaml")
	for _, tt := range []struct {
		name  string
		of    *theory.Theory
		model historytest.Model
		lines []string
	}{
		{"stored twice", hashmap, historytest.Map().Model,
			[]string{"[1] call loadOrStore(1, 11)", "[2] call loadAndDelete(1)", "[2] return 11", "[3] call loadOrStore(1, 12)", "[3] return -"}},
		{"beside another key", hashmap, historytest.Map().Model,
			[]string{"[1] call loadOrStore(1, 11)", "[2] call loadAndDelete(1)", "[2] return 11", "[3] call loadOrStore(1, 12)", "[3] return -", "[4] call loadOrStore(2, 13)", "[4] return -"}},
		{"two of three", hashmap, historytest.Map().Model,
			[]string{"[1] call loadOrStore(1, 11)", "[2] call loadOrStore(1, 12)", "[3] call loadAndDelete(1)", "[3] return 12", "[4] call loadAndDelete(1)", "[4] return 11", "[5] call loadOrStore(1, 13)", "[5] return -"}},
		{"gone while others come", presence, historytest.Presence().Model,
			[]string{"[1] call join(1)", "[2] call online(1)", "[2] return true", "[3] call leave(1)", "[3] return"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := historytest.Log(t, tt.of, tt.lines...)
			if !tt.model.Linearizable(e) {
				t.Fatal("the data type does not admit it")
			}
			for _, engine := range allEngines() {
				r, err := engine.Check(t.Context(), tt.of, e)
				if r.Verdict == check.Violation || err != nil && r.Verdict != "" {
					t.Errorf("%s: %+v, %v", engine.Name(), r, err)
				}
			}
		})
	}
}

// TestRemovedOnce: so it is where a rule holds removes apart, of which one is
// pending: nothing is known of what happens once it breaks the rule.
func TestRemovedOnce(t *testing.T) {
	once := queue
	once.language = append(slices.Clone(once.language), "forall x:Op, y:Op. method(x) = remove & method(y) = remove & outcome(x) = value & outcome(y) = value & ret(x) = ret(y) -> x = y")
	th := build(t, once)
	lines := []string{"[1] call add(1)", "[1] return", "[2] call remove", "[2] return 1", "[3] call remove", "[4] call remove", "[4] return 5"}
	e := historytest.Log(t, th, lines...)
	for _, engine := range append(allEngines(), by{Whole: true}) {
		if r, err := engine.Check(t.Context(), th, e); r.Verdict == check.Violation {
			t.Errorf("%s: %+v, %v", engine.Name(), r, err)
		}
	}
	b := batchOf(t, th, by{})
	b.Keep(1)
	if r := follow(b, strings.Join(lines, "\n")+"\n"); r.Result.Verdict != check.Inconclusive {
		t.Errorf("followed: %+v, %v", r.Result, r.Err)
	}
}

// TestLeaves: what is a violation before the language is left is one, and else
// the event with which it is left is refused, in a file and in what is followed.
func TestLeaves(t *testing.T) {
	twice := []string{"[1] call insert(1)", "[2] call insert(1)", "[3] call remove(1)", "[3] return 1", "[1] return -", "[2] return -", "[4] call contains(1)", "[4] return 1"}
	for _, tt := range []struct {
		name   string
		of     string
		lines  []string
		prefix int // 0: refused
	}{
		{"a second insert that overlaps", "set", twice, 0},
		{"a violation after it", "set", append(twice, "[5] call remove(7)", "[5] return 7"), 0},
		{"a violation before it", "set", append([]string{"[5] call remove(7)", "[5] return 7"}, twice...), 2},
		{"a call", "queue", []string{"[1] call add(1)", "[2] call remove", "[2] return -", "[3] call add(1)"}, 0},
		{"a violation before a call", "queue", []string{"[1] call add(1)", "[2] call remove", "[2] return 4", "[3] call add(1)"}, 3},
		{"a violation that begins with the call", "queue", []string{"[1] call add(1)", "[3] call add(1)", "[2] call remove", "[2] return 4"}, 0},
		{"without clauses", "hashmap", []string{"[1] call loadAndDelete(1)", "[1] return 11", "[2] call loadOrStore(2, 12)", "[2] return -", "[3] call loadOrStore(2, 13)", "[3] return -"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "examples/" + tt.of + "/" + tt.of + ".theory.yaml"
			if tt.of == "hashmap" {
				path = "check/testdata/hashmap.theory.yaml"
			}
			b := batchOf(t, historytest.Theory(t, path), by{})
			for way, read := range readers(b) {
				r := read(strings.Join(tt.lines, "\n") + "\n")
				if refused := errors.As(r.Err, new(*check.OutsideLanguage)); refused != (tt.prefix == 0) || r.Result.Prefix != tt.prefix {
					t.Errorf("%s: %+v, %v", way, r.Result, r.Err)
				}
			}
		})
	}
}
