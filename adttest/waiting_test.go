package adttest

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// condPipe is a queue whose Take waits, on a condition variable: right.
type condPipe struct {
	mu     sync.Mutex
	more   *sync.Cond
	values []int
	closed bool
}

func newCondPipe() *condPipe {
	p := &condPipe{}
	p.more = sync.NewCond(&p.mu)
	return p
}

func (p *condPipe) Put(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.values = append(p.values, v)
	p.more.Signal()
}

func (p *condPipe) Take() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.values) == 0 {
		if p.more.Wait(); p.closed {
			runtime.Goexit()
		}
	}
	v := p.values[0]
	p.values = p.values[1:]
	return v
}

func closeCond(p *condPipe) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.more.Broadcast()
}

// sleepy wakes somebody up only if it was empty: of two that wait one sleeps on.
type sleepy struct{ *condPipe }

func newSleepy() *sleepy { return &sleepy{newCondPipe()} }

func (p *sleepy) Put(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.values = append(p.values, v); len(p.values) == 1 {
		p.more.Signal()
	}
}

// TestMustReturn lets operations wait as the reference does, and finds the one
// that waits although there is something for it.
func TestMustReturn(t *testing.T) {
	testsize.NeedsLong(t)
	// Nothing that could go on takes this long, even on a busy machine.
	c := Config{New: newCondPipe, Reference: newPipe, MustReturn: true, Stall: 300 * time.Millisecond, Close: closeCond, Budget: 2 * time.Second}
	if testsize.Nightly() {
		c.Budget = 5 * time.Minute
	}
	r, f, err := start(t.Context(), withDir(t, c), nobody("", ""))
	if err != nil || f != nil {
		t.Fatal(f, err)
	}
	if r.stuckRounds == 0 {
		t.Error("no operation waited")
	}
	c.New, c.Budget, c.Fixed, c.Stall = newSleepy, patience, true, 20*time.Millisecond
	c.Scenarios = []Scenario{{Threads: [][]Call{{Do("Take")}, {Do("Take")}, {Do("Put", 1), Do("Put", 2)}}}}
	c.Close = func(p *sleepy) { closeCond(p.condPipe) }
	f = find(t, c)
	if f == nil || f.Kind != Hang || !strings.Contains(f.String(), "did not return within 20ms: thread ") || !strings.Contains(f.String(), "the reference does not wait there") {
		t.Fatalf("a wake-up that is lost: %v", f)
	}
	t.Log(f)
}

// quits ends the goroutine that finds it empty.
type quits struct{ plain }

func (q *quits) Remove() (int, bool) {
	v, ok := q.plain.Remove()
	if !ok {
		runtime.Goexit()
	}
	return v, ok
}

// TestGoexit sees operations that end their goroutine.
func TestGoexit(t *testing.T) {
	const long = 10 * patience // whoever waits, waits this long
	begun := time.Now()
	c := Config{New: func() *quits { return &quits{} }, Theory: queueTheory, Rounds: 3, Budget: long, Stall: long,
		Fixed: true, Scenarios: []Scenario{{Threads: [][]Call{{Do("remove")}, {Do("add", 1)}}, After: []Call{Do("remove"), Do("remove")}}}}
	r, f, err := start(t.Context(), withDir(t, c), nobody("", ""))
	if err != nil || f != nil || !slices.ContainsFunc(r.notes, func(n string) bool { return strings.Contains(n, "ended its goroutine (runtime.Goexit)") }) {
		t.Fatal(f, err, r.notes)
	}
	c.MustReturn, c.Reference = true, func() *blocking { return &blocking{} }
	c.Theory = ""
	c.Operations = []reference.Operation{{Func: (*quits).Add}, {Name: "remove", Func: func(q *quits) int { v, _ := q.Remove(); return v }}}
	f = find(t, c)
	if f == nil || f.Kind != Hang || !strings.Contains(f.String(), "ends the goroutine that calls it (runtime.Goexit), in ") {
		t.Fatalf("got %v", f)
	}
	if time.Since(begun) > long {
		t.Error("somebody waited for what was gone")
	}
	if _, err := Find(t.Context(), Config{New: func() *plain { runtime.Goexit(); return nil }, Theory: queueTheory, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "the constructor ends the goroutine") {
		t.Errorf("constructor: %v", err)
	}
}
