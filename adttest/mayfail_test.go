package adttest

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// tries is the reference of the queues below: it has room for any number.
type tries struct{ values []int }

func newTries() *tries { return &tries{} }

func (q *tries) Offer(v int) bool {
	q.values = append(q.values, v)
	return true
}

func (q *tries) Poll() (int, bool) {
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// moody gives up now and then. One that loses says sometimes that it took a value
// which it did not take.
type moody struct {
	mu    sync.Mutex
	q     tries
	loses bool
}

func newMoody() *moody       { return &moody{} }
func newLosesMoody() *moody  { return &moody{loses: true} }
func (q *moody) moody() bool { return rand.IntN(3) == 0 }

func (q *moody) Offer(v int) bool {
	if q.moody() {
		return q.loses && q.moody()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.q.Offer(v)
}

func (q *moody) Poll() (int, bool) {
	if q.moody() {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.q.Poll()
}

// triesSpec is the reference; Offer and Poll may fail if so.
func triesSpec(mayFail ...string) reference.Spec {
	return reference.Spec{Name: "tries", New: newTries, MayFail: mayFail}
}

// TestMayFail: operations that fail as they may are no violation, and hide none.
func TestMayFail(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	may := triesSpec("Offer=false", "poll=nil")
	if f := find(t, Config{New: newMoody, Reference: may, Budget: 300 * time.Millisecond}); f != nil {
		t.Fatalf("it may fail:\n%s", f)
	}
	for _, spec := range []reference.Spec{triesSpec(), triesSpec("offer=false")} {
		f := find(t, Config{New: newMoody, Reference: spec, Budget: patience})
		if f == nil || f.Kind != Violation || f.Theory == "" {
			t.Fatalf("it fails where only %v may, and %v was found", spec.MayFail, f)
		}
		if len(spec.MayFail) == 0 {
			continue // its theory has no offer=false
		}
		if f := find(t, Config{New: newMoody, Theory: f.Theory, Reference: may, Budget: 300 * time.Millisecond}); f != nil {
			t.Errorf("the theory of a stricter reference:\n%s", f)
		}
	}
	c := Config{New: newLosesMoody, Reference: may, Budget: patience, Shrink: 2 * time.Second, Dir: t.TempDir()}
	f := find(t, c)
	if f == nil || f.Kind != Violation || f.Explanation == nil {
		t.Fatalf("a lost value: %v", f)
	}
	for _, o := range f.Explanation.Execution.Ops {
		if o.Completed() && (o.Outcome == "false" || o.Outcome == "nil") {
			t.Errorf("%s explains nothing:\n%s", o.Label, f)
		}
	}
	if !strings.Contains(f.String(), "offer(") {
		t.Errorf("no offer in\n%s", f)
	}
	if again := replayed(t, c, f.Log); again == nil || again.Kind != Violation {
		t.Errorf("the log again: %v", again)
	}
	for name, makes := range map[string]func() *moody{"right": newMoody, "loses": newLosesMoody} {
		alone := Config{New: makes, Theory: f.Theory, Budget: 300 * time.Millisecond}
		if name == "loses" {
			alone.Budget = patience
		}
		if f := find(t, alone); (f != nil) != (name == "loses") || f != nil && f.Explanation == nil {
			t.Errorf("%s, by the theory alone: %v", name, f)
		}
	}
	c.Reference = triesSpec()
	if again := replayed(t, c, f.Log); again == nil {
		t.Error("the log is right for a stricter reference")
	}
	for _, wrong := range []string{"offer", "offers=false", "poll=false", "offer=true"} {
		c.Reference = triesSpec(wrong)
		if _, err := Find(context.Background(), c); err == nil || !strings.Contains(err.Error(), "may") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// replayed checks a saved log again.
func replayed(t *testing.T, c Config, log string) *Failure {
	t.Helper()
	r, err := newRun(t.Context(), c, environment{replay: log}, nobody("", ""))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.all()
	if err != nil {
		t.Fatal(err)
	}
	return f
}
