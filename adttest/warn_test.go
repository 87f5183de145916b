package adttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/treiber"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// setTheory is a file with the patterns of a set alone, which do not cover all
// executions.
func setTheory(t *testing.T) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "set.theory.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := theory.Write(f, historytest.Example(t, "set")); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// alwaysNew is a set that says of every value that it was not there.
type alwaysNew struct{ set.Set }

func (s *alwaysNew) Insert(v int) (int, bool) {
	s.Set.Insert(v)
	return 0, false
}

// TestUnjudged tests against a theory whose language speaks of answers, without a
// reference: a defect that leaves the language is found by what the theory says of
// executions beyond it, and what a right type leaves unjudged is said.
func TestUnjudged(t *testing.T) {
	c := Config{New: func() *alwaysNew { return &alwaysNew{} }, Theory: setTheory(t), Budget: patience, Seed: 1}
	if f := find(t, c); f == nil || !strings.Contains(f.String(), "broken: insert-once-beyond: the rule insert-once is broken only beside") {
		t.Errorf("wrong set: %v", f)
	}
	again := Scenario{Threads: [][]Call{{Do("Insert", 1), Do("Remove", 1), Do("Insert", 1)}}}
	c.New, c.Scenarios, c.Fixed = func() *set.Set { return &set.Set{} }, []Scenario{again, {Threads: [][]Call{{Do("Insert", 1)}}}}, true
	c.Rounds = 200
	_, err := Find(t.Context(), withDir(t, c))
	if err == nil || !strings.Contains(err.Error(), "too little was judged: ") || !strings.Contains(err.Error(), "give Config.Reference, which judges any (the first one: ") {
		t.Errorf("outside the language: %v", err)
	}
	c.Scenarios, c.Fixed = nil, false
	var said []string
	c.Rounds, c.Warn = int(testsize.Samples(5000)), func(w string) { said = append(said, w) }
	r, f, err := start(t.Context(), withDir(t, c), nobody("", ""))
	if f != nil || err != nil {
		t.Fatal(f, err)
	}
	t.Logf("%d of %d; %q", r.judge.unjudged(), r.judge.histories, said)
	if r.judge.unjudged() == 0 || !strings.Contains(strings.Join(said, "\n"), " histories were not judged; ") {
		t.Errorf("%d of %d; %q", r.judge.unjudged(), r.judge.histories, said)
	}
	c.Reference, c.Seed = set.Spec, 2
	if r, f, err = start(t.Context(), withDir(t, c), nobody("", "")); f != nil || err != nil || r.judge.unjudged() != 0 {
		t.Errorf("with a reference: %d unjudged, %v, %v", r.judge.unjudged(), f, err)
	}
}

// TestCoverage says how much a run could have shown.
func TestCoverage(t *testing.T) {
	testsize.NeedsLong(t)
	adds := [][]Call{{Do("Push", 1)}}
	for _, tt := range []struct {
		threads [][]Call
		pairs   bool
	}{{adds, false}, {[][]Call{{Do("Push", 1), Do("Pop")}, {Do("Push", 2), Do("Pop")}}, true}} {
		var said []string
		c := Config{New: func() *treiber.Stack { return treiber.Paused(treiber.New(), Yield) }, Theory: "../examples/stack/stack.theory.yaml",
			Fixed: true, Scenarios: []Scenario{{Threads: tt.threads}}, Rounds: 5000, Budget: patience,
			Warn: func(w string) { said = append(said, w) }}
		r, f, err := start(t.Context(), withDir(t, c), nobody("", ""))
		if f != nil || err != nil {
			t.Fatal(f, err)
		}
		warned := strings.Contains(strings.Join(said, "\n"), "no two operations overlapped")
		if warned == tt.pairs || (r.judge.coverage.Overlaps > 0) != tt.pairs {
			t.Errorf("%d pairs, %q", r.judge.coverage.Overlaps, said)
		}
		if want := "never seen: "; !strings.Contains(r.summary(), want) || strings.Contains(r.summary(), "remove => value") == tt.pairs {
			t.Errorf("%s", r.summary())
		}
	}
}

// TestWarnChild is what TestWarnings runs.
func TestWarnChild(t *testing.T) {
	if os.Getenv("ADTTEST_CHILD") == "" {
		t.Skip("runs as a child")
	}
	Run(t, Config{New: newPlain, Theory: queueTheory, Fixed: true, Scenarios: []Scenario{{Threads: [][]Call{{Do("Add", 1)}}}}, Budget: time.Millisecond, Dir: t.TempDir()})
}

// TestWarnings looks for a warning without -v, once, and with it, once.
func TestWarnings(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"-test.v"}} {
		out, passed := child(t, t.TempDir(), append(args, "-test.run=^TestWarnChild$"), nil)
		if n := strings.Count(out, "adttest: no two operations overlapped"); !passed || n != 1 {
			t.Errorf("%v: %d times in\n%s", args, n, out)
		}
	}
}
