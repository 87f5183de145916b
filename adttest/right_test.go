package adttest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// repeated is n calls of a method with the arguments that args makes.
func repeated(n int, method string, args func(i int) []any) []Call {
	var calls []Call
	for i := range n {
		calls = append(calls, Do(method, args(i+1)...))
	}
	return calls
}

func pair(i int) []any   { return []any{i, i} }
func single(i int) []any { return []any{i} }
func noArg(int) []any    { return nil }

// TestRightBeyondBounds runs types that are their reference behind a mutex, in
// scenarios longer than any execution from which a theory is inferred.
func TestRightBeyondBounds(t *testing.T) {
	testsize.NeedsLong(t)
	for name, c := range map[string]Config{
		"sets":    {New: newLockedSets, Reference: newSets},
		"counter": {New: newLockedCounter, Reference: newCounter},
		"lru128": {New: newLockedLRU, Reference: newLRU128, Scenarios: []Scenario{
			{Before: repeated(129, "Put", pair), Threads: [][]Call{{Do("Get", 1)}}},
			{Before: repeated(127, "Put", pair), Threads: [][]Call{{Do("Put", 128, 1), Do("Get", 1)}, {Do("Put", 129, 1), Do("Get", 2)}}, After: []Call{Do("Get", 1), Do("Get", 2)}}}},
		"ring": {New: newLockedRing, Reference: newRing, Scenarios: []Scenario{
			{Before: repeated(7, "Put", single), Threads: [][]Call{{Do("Put", 11)}, {Do("Put", 12)}}, After: repeated(9, "Take", noArg)}}},
		"tired": {New: newLockedTired, Reference: newTired, Scenarios: []Scenario{
			{Before: repeated(12, "Put", single), Threads: [][]Call{{Do("Take")}, {Do("Take")}}, After: repeated(9, "Take", noArg)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var warnings []string
			c.Warn = func(w string) { warnings = append(warnings, w) }
			c.Fixed = c.Scenarios != nil
			c.Budget, c.Rounds = briefly(200 * time.Millisecond)
			if testsize.Nightly() {
				c.Budget = 5 * time.Minute
			}
			if f := find(t, c); f != nil {
				t.Fatal(f)
			}
			if said := strings.Join(warnings, "\n"); strings.Contains(said, "were not judged") {
				t.Error(said)
			}
		})
	}
}

// TestDifference asks a queue's theory and a stack.
func TestDifference(t *testing.T) {
	th, err := readTheory(queueTheory)
	if err != nil {
		t.Fatal(err)
	}
	typ := historytest.Queue()
	o, err := newOracle(stack.Spec, subjectOf(&typ))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := check.New(th, check.Options{Engine: "symbolic"})
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(&subject{theory: th, exact: exact}, "", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		log  string
		want verdict
	}{
		{"add(1) add(2) add(3) remove=>3 remove=>2 add(4)", disputed},
		{"add(1) add(2) remove=>1", violates},        // by the stack alone
		{"add(1) add(1) remove=>1 remove=>1", holds}, // outside the queue's language
		{"add(1) add(1) remove=>1 remove=>nil", violates},
		{"add(1) remove=>2", violates},
	} {
		j.forget()
		e := historytest.Log(t, th, sequence(tt.log)...)
		if v, err := j.judge(t.Context(), e); err != nil || v != tt.want {
			t.Errorf("%s: %d, %v; want %d", tt.log, v, err, tt.want)
		}
	}
	const want = "the theory queue is wrong beyond its bounds: the reference answers the sequence add(2); add(3); remove => 3, and the theory calls it a violation (add-add-remove2)"
	if j.differs == nil || j.differs.String() != want || j.unjudged() != 0 {
		t.Errorf("%v, want\n%s", j.differs, want)
	}
}

// TestExplanation does not give the theory's reason where the reference admits
// what it is about.
func TestExplanation(t *testing.T) {
	tiredQueue := reference.Spec{Name: "queue", New: newTired, Operations: []reference.Operation{{Name: "add", Func: (*tired).Put}, {Name: "remove", Func: (*tired).Take}}}
	r, err := newRun(t.Context(), Config{New: newPlain, Theory: queueTheory, Reference: tiredQueue}, environment{}, nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	adds := ""
	for v := range 12 {
		adds += fmt.Sprintf("add(%d) ", v+1)
	}
	for log, want := range map[string]struct {
		ops    int
		reason bool
	}{
		adds + "remove=>12 remove=>99 remove=>10": {2, false}, // a stack by now
		"add(1) add(2) remove=>2 remove=>1":       {2, true},
	} {
		x := r.explain(t.Context(), historytest.Log(t, r.subject.theory, sequence(log)...))
		if x == nil || len(x.Execution.Ops) != want.ops || (len(x.Reasons) > 0) != want.reason {
			t.Errorf("%s: %+v", log, x)
		}
	}
}

// sequence is the lines of a log of calls that return at once.
func sequence(calls string) (lines []string) {
	for i, c := range strings.Fields(calls) {
		call, answer, _ := strings.Cut(c, "=>")
		lines = append(lines, fmt.Sprintf("[%d] call %s", i+1, call), strings.TrimSpace(fmt.Sprintf("[%d] return %s", i+1, answer)))
	}
	return lines
}
