package adttest

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

const queueTheory = "../examples/queue/queue.theory.yaml"

// patience is the budget where something is to be found: far more than it takes.
const patience = 30 * time.Second

func find(t *testing.T, c Config) *Failure {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	if c.Shrink == 0 {
		c.Shrink = 100 * time.Millisecond
	}
	if c.Rounds > 0 && c.Budget == 0 {
		c.Budget = patience // so many rounds, on a slow machine, too
	}
	f, err := Find(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestWrong finds a defect of each kind, and looks at what it leaves behind.
func TestWrong(t *testing.T) {
	testsize.NeedsLong(t)
	for _, tt := range []struct {
		name    string
		new     any
		reasons []string // any of them
	}{
		{"lost value", newLoses, []string{"remove-nil-after-add", "remove-nil-between-add-remove", "add-add-remove2"}},
		{"duplicate", newDoubles, []string{"remove-twice"}},
		{"order", newReorders, []string{"add-add-remove2", "add-add-remove2-remove1"}},
		{"empty", newGives, []string{"remove-nil-after-add", "remove-nil-between-add-remove"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := find(t, Config{New: tt.new, Theory: queueTheory, Reference: queue.Spec, Budget: patience})
			if f == nil {
				t.Fatal("not found")
			}
			if f.Kind != Violation || f.Explanation == nil || len(f.Explanation.Execution.Ops) > 12 || f.Scenario.size() > f.original {
				t.Errorf("%s, %+v", f.Kind, f.Explanation)
			}
			if !slices.ContainsFunc(f.Explanation.Reasons, func(r check.Reason) bool { return slices.Contains(tt.reasons, r.Name) }) {
				t.Errorf("the reasons are %v, want one of %v", f.Explanation.Reasons, tt.reasons)
			}
			for _, want := range []string{"does not refine queue", "scenario", f.Explanation.Reasons[0].Name, f.Log, "ADTTEST_REPLAY=", "adtinfer check --theory " + queueTheory, "the reference does not admit it either"} {
				if !strings.Contains(f.String(), want) {
					t.Errorf("no %q in\n%s", want, f)
				}
			}
			checkLog(t, f)
		})
	}
}

// checkLog looks whether the saved log is the history, and whether the
// engines find it a violation; not all of them are complete.
func checkLog(t *testing.T, f *Failure) {
	t.Helper()
	th, err := readTheory(f.Theory)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := th.Signature(nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(f.Log)
	if err != nil {
		t.Fatal(err)
	}
	e, err := history.ReadLog(bytes.NewReader(data), f.Log, sig)
	if err != nil {
		t.Fatal(err)
	}
	if e.String() != f.Execution.String() || e.Object != "queue" {
		t.Errorf("saved\n%s (%s), shown\n%s", e, e.Object, f.Execution)
	}
	for i, engine := range checktest.All() {
		r, err := engine.Check(t.Context(), th, e)
		if err != nil || r.Verdict != check.Violation && (i == 0 || r.Verdict != check.NoViolationFound) {
			t.Errorf("%s says %q, %v", engine.Name(), r.Verdict, err)
		}
	}
}

// TestRight finds nothing where there is nothing.
func TestRight(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	t.Run("parallel", func(t *testing.T) {
		for name, c := range map[string]Config{
			"theory":      {Theory: queueTheory},
			"reference":   {Reference: queue.Spec},
			"constructor": {Reference: newPlain},
			"both":        {Theory: queueTheory, Reference: queue.Spec},
			"symbolic":    {Theory: queueTheory, Engine: "symbolic"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c.New = newPlain
				c.Budget, c.Rounds = briefly(200 * time.Millisecond)
				if f := find(t, c); f != nil {
					t.Error(f)
				}
			})
		}
	})
	for name, c := range rightExamples {
		c.Theory = "../examples/" + name + "/" + name + ".theory.yaml"
		c.Budget, c.Rounds = briefly(100 * time.Millisecond)
		if f := find(t, c); f != nil {
			t.Error(f)
		}
	}
	if got := runtime.GOMAXPROCS(0); got != procs {
		t.Errorf("GOMAXPROCS is %d afterwards, was %d", got, procs)
	}
}

// briefly is a budget of time under ADTINFER_LONG, and one of rounds in plain runs.
func briefly(budget time.Duration) (time.Duration, int) {
	if testsize.Long() {
		return budget, 0
	}
	return patience, 100
}

// rightExamples are types behind a mutex, with methods of all sorts.
var rightExamples = map[string]Config{
	"lock":      {New: func() *lock.Lock { return &lock.Lock{} }},
	"register":  {New: register.Spec.New},
	"set":       {New: func() *set.Set { return &set.Set{} }},
	"stack":     {New: func() *stack.Stack { return &stack.Stack{} }},
	"worksteal": {New: worksteal.Spec.New},
}

func TestInferredTheoryIsSaved(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	f := find(t, Config{New: newReorders, Reference: queue.Spec, Budget: patience})
	if f == nil {
		t.Fatal("not found")
	}
	if want := filepath.Join(filepath.Dir(f.Log), "queue.theory.yaml"); f.Theory != want {
		t.Errorf("theory is in %s, want %s", f.Theory, want)
	}
	checkLog(t, f)
}

func TestDisagreement(t *testing.T) {
	t.Parallel()
	f := find(t, Config{New: newPlain, Theory: "../examples/stack/stack.theory.yaml", Reference: queue.Spec, Budget: patience})
	if f == nil || f.Kind != Disagreement || !strings.Contains(f.String(), "the theory stack is wrong beyond its bounds: the reference answers the sequence add(") {
		t.Errorf("a queue is no stack, and it is a queue; got\n%s", f)
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	f := find(t, Config{New: newPanics, Theory: queueTheory, Budget: patience, Shrink: patience})
	if f == nil || f.Kind != Panic {
		t.Fatalf("got %v", f)
	}
	for _, want := range []string{"panics in Remove() of ", ": empty again", "(*panics).Remove", "queues_test.go:", "replay  ADTTEST_REPLAY="} {
		if !strings.Contains(f.String(), want) {
			t.Errorf("no %q in\n%s", want, f)
		}
	}
	if f.Scenario.size() != 2 {
		t.Errorf("two removes panic; the scenario is\n%s", f.Scenario)
	}
	repeats(t, f)
}

// Shrinking ends long before its time is over if nothing gets smaller, and not before
// each call was left out.
func TestShrinkingEnds(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	const long = 5 * time.Minute
	start := time.Now()
	f := find(t, Config{New: newDoubles, Theory: queueTheory, Budget: patience, Shrink: long})
	if f == nil || f.Kind != Violation {
		t.Fatalf("got %v", f)
	}
	if d := time.Since(start); d > patience+long/4 {
		t.Errorf("it took %v", d)
	}
	if f.Scenario.size() != 3 {
		t.Errorf("an add and two removes show it; the scenario is\n%s", f.Scenario)
	}
	if strings.Contains(f.String(), "above") {
		t.Errorf("nothing was printed before\n%s", f)
	}
}

// repeats checks that a saved panic or hang is told again by its log.
func repeats(t *testing.T, f *Failure) {
	t.Helper()
	if f.Log == "" || !slices.ContainsFunc(f.Execution.Ops, func(o history.Operation) bool { return !o.Completed() }) {
		t.Fatalf("no log, or nothing pending in it:\n%s", f)
	}
	for range 3 {
		r, err := newRun(t.Context(), Config{New: newPlain, Theory: queueTheory}, environment{replay: f.Log}, nobody("", ""))
		if err != nil {
			t.Fatal(err)
		}
		again, err := r.all()
		if err != nil || again == nil || again.Kind != f.Kind || !strings.HasSuffix(again.String(), f.String()) {
			t.Fatalf("%v, again:\n%v\nfirst:\n%v", err, again, f)
		}
	}
}

func TestPanickingConstructor(t *testing.T) {
	f := find(t, Config{New: func() *plain { panic("no way") }, Theory: queueTheory})
	if f == nil || !strings.Contains(f.String(), "panics in the constructor") || !strings.Contains(f.String(), "no way") {
		t.Errorf("got %v", f)
	}
}

// TestBlocking tests a queue whose Remove waits. Its theory lets pending
// operations be.
func TestBlocking(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	scenario := Scenario{Threads: [][]Call{{Do("Remove"), Do("Remove")}, {Do("Add", 1)}}}
	closed := func(q *waits) { close(q.closed) }
	c := Config{New: newWaits, Theory: queueTheory, Scenarios: []Scenario{scenario}, Fixed: true, Rounds: 3, Stall: 100 * time.Millisecond, Close: closed}
	before := runtime.NumGoroutine()
	r, f, err := start(t.Context(), withDir(t, c), nobody(t.Name(), ""))
	if err != nil || f != nil {
		t.Fatal(f, err)
	}
	if r.abandoned == 0 || !slices.ContainsFunc(r.notes, func(n string) bool { return strings.Contains(n, "did not return") }) {
		t.Errorf("%d left behind; notes %q", r.abandoned, r.notes)
	}
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before+20 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	c.MustReturn = true
	f = find(t, c)
	if f == nil || f.Kind != Hang || !strings.Contains(f.String(), "thread 1: Remove()") {
		t.Fatalf("MustReturn: got %v", f)
	}
	repeats(t, f)
}

func withDir(t *testing.T, c Config) Config {
	c.Dir = t.TempDir()
	return c
}

// TestPendingIsChecked finds a defect in a history with an operation that never
// returns.
func TestPendingIsChecked(t *testing.T) {
	t.Parallel()
	c := Config{New: newWaits, Theory: queueTheory, Fixed: true, Rounds: 10, Stall: 100 * time.Millisecond,
		Operations: []reference.Operation{
			{Func: (*waits).Add},
			{Name: "remove", Func: func(q *waits) (int, bool) {
				if len(q.values) > 1 {
					return 0, false // wrong
				}
				return q.Remove()
			}},
		},
		Scenarios: []Scenario{{Before: []Call{Do("Add", 1), Do("Add", 2), Do("remove")}, Threads: [][]Call{{Do("Add", 3), Do("Add", 4)}, {Do("remove"), Do("remove"), Do("remove")}}}},
	}
	if f := find(t, c); f == nil || f.Kind != Violation {
		t.Errorf("got %v", f)
	}
}

func TestRounds(t *testing.T) {
	r, f, err := start(t.Context(), withDir(t, Config{New: newPlain, Theory: queueTheory, Rounds: 250, Budget: patience}), nobody("", ""))
	if err != nil || f != nil || r.rounds != 250 {
		t.Errorf("%d rounds, %v, %v", r.rounds, f, err)
	}
}
