package adttest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// mutex panics if it is unlocked and nobody holds it.
type mutex struct{ held bool }

func newMutex() *mutex { return &mutex{} }

func (m *mutex) TryLock() bool {
	if m.held {
		return false
	}
	m.held = true
	return true
}

func (m *mutex) Unlock() {
	if !m.held {
		panic("unlock of unlocked mutex")
	}
	m.held = false
}

// guarded is a mutex for many goroutines: right, but for what flaws it is given.
type guarded struct {
	mu     sync.Mutex
	busy   sync.Mutex
	m      mutex
	hasty  bool // it panics if somebody else is busy
	silent bool // it does not panic
	lost   bool // it is locked for ever if an unlock panics
	broken bool // it panics as the runtime does if it is locked twice
}

func newGuarded() *guarded { return &guarded{} }
func newHasty() *guarded   { return &guarded{hasty: true} }
func newSilent() *guarded  { return &guarded{silent: true} }
func newLost() *guarded    { return &guarded{lost: true} }
func newBroken() *guarded  { return &guarded{broken: true} }

func (g *guarded) TryLock() bool {
	if g.hasty && g.busy.TryLock() {
		defer g.busy.Unlock()
		Yield()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.broken && g.m.held {
		var none *guarded
		none.m.held = true
	}
	return g.m.TryLock()
}

func (g *guarded) Unlock() {
	if g.hasty {
		if !g.busy.TryLock() {
			panic("too hasty")
		}
		defer g.busy.Unlock()
		Yield()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.silent && !g.m.held {
		return
	}
	if g.lost && !g.m.held {
		g.m.held = true
		panic("gone for ever")
	}
	g.m.Unlock()
}

// TestPanicsOfReference: that a method panics is an outcome where the reference says
// so, and a failure elsewhere.
func TestPanicsOfReference(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	if f := find(t, Config{New: newGuarded, Reference: newMutex, Budget: 300 * time.Millisecond}); f != nil {
		t.Errorf("it panics as the reference does:\n%s", f)
	}
	overlap := []Scenario{{Before: []Call{Do("TryLock")}, Threads: [][]Call{{Do("Unlock"), Do("TryLock")}, {Do("TryLock"), Do("Unlock")}}}}
	once := []Scenario{{Before: []Call{Do("TryLock")}, Threads: [][]Call{{Do("Unlock")}, {Do("TryLock"), Do("TryLock")}}}}
	late := []Scenario{{Before: []Call{Do("TryLock")}, Threads: [][]Call{{Do("Unlock")}, {Do("Unlock")}}, After: []Call{Do("TryLock"), Do("TryLock")}}}
	for _, tt := range []struct {
		name      string
		new       any
		scenarios []Scenario
		kind      Kind
		want      []string
	}{
		{"hasty", newHasty, once, Panic, []string{"panics in Unlock() of ", ": too hasty", "(*guarded).Unlock", "panics_test.go:", "reference does not panic there"}},
		{"lost", newLost, late, Violation, []string{"unlock panicked: gone for ever", "(*guarded).Unlock", "panics_test.go:"}},
		{"silent", newSilent, overlap, Violation, []string{"unlock"}},
		{"broken", newBroken, overlap, Panic, []string{"panics in TryLock() of ", "nil pointer", "(*guarded).TryLock", "reference does not panic there"}},
	} {
		c := Config{New: tt.new, Reference: newMutex, Scenarios: tt.scenarios, Fixed: true, Budget: patience, Dir: t.TempDir()}
		f := find(t, c)
		if f == nil || f.Kind != tt.kind {
			t.Errorf("%s: got %v, want a %s", tt.name, f, tt.kind)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(f.String(), want) {
				t.Errorf("%s: no %q in\n%s", tt.name, want, f)
			}
		}
		if !slices.ContainsFunc(f.Execution.Ops, func(o history.Operation) bool { return o.Outcome == history.Panic }) && tt.kind == Panic {
			t.Errorf("%s: no panic in the history of\n%s", tt.name, f)
		}
		again := replayed(t, c, f.Log)
		if again == nil || again.Kind != tt.kind || tt.kind == Panic && !strings.HasSuffix(again.String(), f.String()) {
			t.Errorf("%s, again: %v", tt.name, again)
		}
		forgotten(t, c, f)
	}
}

// forgotten replays a panic whose report is gone.
func forgotten(t *testing.T, c Config, f *Failure) {
	t.Helper()
	if f.Kind != Panic {
		return
	}
	if err := os.Remove(wordsPath(f.Log, Panic)); err != nil {
		t.Fatal(err)
	}
	again := replayed(t, c, f.Log)
	if again == nil || again.Kind != Panic || !strings.Contains(again.String(), "panics in ") || !strings.Contains(again.String(), "does not panic there") {
		t.Errorf("without its report: %v", again)
	}
}

// TestPanicsRight: a log whose panics the reference has is right, whatever was said
// when it was saved.
func TestPanicsRight(t *testing.T) {
	log := filepath.Join(t.TempDir(), "seed-1.jsonl")
	e := &history.Execution{Events: 2, Ops: []history.Operation{{ID: "1", Process: beforeName, Return: 1,
		Label: history.Label{Kind: history.Kind{Method: "unlock", Outcome: history.Panic}}}}}
	var b strings.Builder
	if err := history.WriteJSON(&b, e); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{log: b.String(), wordsPath(log, Panic): "it was wrong once"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if f := replayed(t, Config{New: newGuarded, Reference: newMutex}, log); f != nil {
		t.Errorf("got %s", f)
	}
}

// pops is a queue whose Remove panics as the runtime does if there is nothing.
type pops struct {
	mu     sync.Mutex
	values []int
	loses  bool
}

func newPops() *pops      { return &pops{} }
func newLosesPops() *pops { return &pops{loses: true} }

func (q *pops) Add(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.loses || len(q.values) != 1 {
		q.values = append(q.values, v)
	}
}

func (q *pops) Remove() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	v := q.values[0]
	q.values = q.values[1:]
	return v
}

// TestPanicsOfTheory: a theory says which methods may panic, too.
func TestPanicsOfTheory(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	spec := reference.Spec{Name: "pops", New: newPops}
	two := []Scenario{{Before: []Call{Do("Add", 1), Do("Add", 2)}, Threads: [][]Call{{Do("Remove")}, {Do("Remove")}}}}
	f := find(t, Config{New: newLosesPops, Reference: spec, Scenarios: two, Fixed: true, Budget: patience})
	if f == nil || f.Kind != Panic || f.Theory == "" {
		t.Fatalf("a value is lost, and Remove panics; got %v", f)
	}
	if f := find(t, Config{New: newPops, Theory: f.Theory, Budget: 300 * time.Millisecond}); f != nil {
		t.Errorf("the theory has remove => panic:\n%s", f)
	}
	if f := find(t, Config{New: newLosesPops, Theory: f.Theory, Scenarios: two, Fixed: true, Budget: patience}); f == nil || f.Kind != Panic {
		t.Errorf("by the theory alone: %v", f)
	}
	never := Config{New: newPanics, Theory: queueTheory, Reference: queue.Spec, Budget: patience, Dir: t.TempDir()}
	if f := find(t, never); f == nil || f.Kind != Panic || !strings.Contains(f.String(), "empty again") {
		t.Errorf("the reference never panics: %v", f)
	}
}

// roomy takes more values than its reference, narrow.
type roomy struct{ crash bool }

func newRoomy() *roomy    { return &roomy{} }
func newCrashing() *roomy { return &roomy{crash: true} }
func (w *roomy) Put(v string) {
	if v == "much" && w.crash {
		_ = make([]int, 1)[len(v)]
	} else if v == "much" {
		panic("too much")
	}
}

type narrow struct{ b bool }

func newNarrow() *narrow                     { return &narrow{} }
func (n *narrow) Put(v bool)                 { n.b = v }
func takesAll(*narrow, reference.Claim) bool { return true }

// TestPanicsUnjudged: where the reference cannot judge, panics of the runtime are
// failures, and one with Accept never panics.
func TestPanicsUnjudged(t *testing.T) {
	t.Parallel()
	much := []Scenario{{Threads: [][]Call{{Do("Put", "true")}, {Do("Put", "much")}}}}
	c := Config{New: newCrashing, Reference: newNarrow, Scenarios: much, Fixed: true, Rounds: 20, Dir: t.TempDir()}
	f := find(t, c)
	if f == nil || f.Kind != Panic || !strings.Contains(f.String(), "index out of range") || strings.Contains(f.String(), "does not panic there") {
		t.Fatalf("got %v", f)
	}
	if again := replayed(t, c, f.Log); again == nil || !strings.HasSuffix(again.String(), f.String()) {
		t.Errorf("again: %v", again)
	}
	c.New = newRoomy
	if f, err := Find(t.Context(), c); f != nil || err == nil || !strings.Contains(err.Error(), "does not take the arguments of put") {
		t.Errorf("nobody can judge: %v, %v", f, err)
	}
	c.Reference = reference.Spec{Name: "all", New: newNarrow, Accept: takesAll, Operations: []reference.Operation{{Name: "put", Func: (func(string))(nil)}}}
	if f := find(t, c); f == nil || f.Kind != Panic || !strings.Contains(f.String(), "too much") {
		t.Errorf("a reference with Accept: %v", f)
	}
}
