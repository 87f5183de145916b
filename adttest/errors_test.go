package adttest

import (
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/reference"
)

type mismatched struct{ plain }

func (*mismatched) Peek() (int, bool)       { return 0, false }
func (*mismatched) Enqueue(v, priority int) {}
func (*mismatched) Poll() (int, error)      { return 0, nil }
func (*mismatched) Put(f func())            {}
func (*mismatched) Offer(v int) (full bool) { return false }
func newMismatched() *mismatched            { return &mismatched{} }

// TestErrors looks at what is said about a Config that cannot be used.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Config
		want []string
	}{
		{"no constructor", Config{Theory: queueTheory}, []string{"Config.New is missing"}},
		{"nothing to check against", Config{New: newPlain}, []string{"Config.Theory", "Config.Reference"}},
		{"no such file", Config{New: newPlain, Theory: "none.yaml"}, []string{"Config.Theory", "none.yaml"}},
		{"no theory", Config{New: newPlain, Theory: "doc.go"}, []string{"doc.go:2:"}},
		{"no reference", Config{New: newPlain, Reference: 3}, []string{"reference.Spec or a constructor, not int"}},
		{"no function", Config{New: 3, Theory: queueTheory}, []string{"the constructor must be func() T"}},
		{"fails", Config{New: newFails, Theory: queueTheory}, []string{"constructor failed: no room", "seed"}},
		{"close", Config{New: newPlain, Theory: queueTheory, Close: func(int) {}}, []string{"Config.Close must be a func(*adttest.plain)"}},
		{"fixed", Config{New: newPlain, Theory: queueTheory, Fixed: true}, []string{"Config.Fixed without Config.Scenarios"}},
		{"methods", Config{New: newMismatched, Theory: queueTheory}, []string{
			"*adttest.mismatched does not fit the theory queue",
			"method Peek: the theory has no method peek", "Config.Skip", "Config.Aliases",
			"method Enqueue takes 2 arguments, the theory's add takes 1",
			"method Poll may answer error, the theory's remove answers value or nil",
			"method Offer: the theory's add is already method Enqueue",
			"method Put is skipped: parameter 1 is a function (func())",
		}},
		{"outcome", Config{New: newMismatched, Theory: queueTheory, Skip: []string{"Peek", "Enqueue", "Poll", "Add"}}, []string{
			"method Offer may answer true, the theory's add answers none",
		}},
		{"two names", Config{New: newWaits, Theory: queueTheory, Operations: []reference.Operation{
			{Func: (*waits).Add}, {Name: "push", Func: (*waits).Add}}}, []string{"method Add: the theory's add is already method Add", "Config.Skip"}},
		{"alias", Config{New: newPlain, Theory: queueTheory, Aliases: map[string][]string{"ad": {"x"}}}, []string{"Config.Aliases", `did you mean "add"`}},
		{"scenario method", Config{New: newPlain, Theory: queueTheory, Scenarios: []Scenario{{Before: []Call{Do("Ad", 1)}}}}, []string{"no operation Ad", `did you mean "Add"`}},
		{"scenario arguments", Config{New: newPlain, Theory: queueTheory, Scenarios: []Scenario{{Threads: [][]Call{{Do("Add")}}}}}, []string{"Add(): Add takes 1 argument"}},
		{"scenario type", Config{New: newPlain, Theory: queueTheory, Scenarios: []Scenario{{After: []Call{Do("Add", "x")}}}}, []string{`Add("x"): argument 1 must be a int`}},
		{"outside the language", Config{New: newPlain, Theory: queueTheory, Fixed: true, Rounds: 5, Scenarios: []Scenario{
			{Threads: [][]Call{{Do("Add", 1)}, {Do("Add", 1)}}}}}, []string{"no history was in the theory's language", "add-once"}},
		{"constructor hangs", Config{New: func() *plain { select {} }, Theory: queueTheory, Rounds: 1, Budget: time.Millisecond, Stall: 5 * time.Millisecond,
			Fixed: true, Scenarios: []Scenario{{Before: []Call{Do("Remove")}}}}, []string{"nothing was checked"}},
		{"reference alone", Config{New: newPlain, Reference: func() *queue.Queue { panic("oh") }}, []string{"Config.Reference", "oh"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.c.Dir = t.TempDir()
			f, err := Find(t.Context(), tt.c)
			if err == nil {
				t.Fatalf("no error; %v", f)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in: %v", want, err)
				}
			}
			if !strings.HasPrefix(err.Error(), "adttest: ") {
				t.Errorf("no prefix: %v", err)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"ADTTEST_SEED", "x", "ADTTEST_SEED=x is not a number"},
		{"ADTTEST_SEED", "0", "ADTTEST_SEED=0 is not a number from 1"},
		{"ADTTEST_BUDGET", "10", "ADTTEST_BUDGET=10 is not a duration"},
		{"ADTTEST_REPLAY", "none.jsonl", "none.jsonl: no such file"},
	} {
		t.Setenv("ADTTEST_SEED", "")
		t.Setenv(tt.name, tt.value)
		if _, err := Find(t.Context(), Config{New: newPlain, Theory: queueTheory}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s=%s: %v", tt.name, tt.value, err)
		}
		t.Setenv(tt.name, "")
	}
}
