package refusal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/applog"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/bank"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/closablequeue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/counter"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/delayqueue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/latch"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/lease"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/mailbox"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/maxregister"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/mutex"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ownerlock"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/priorityqueue"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/ratelimiter"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/register"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/rwlock"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/semaphore100"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/sessions"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/snapshot"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/stack"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/undostack"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/unionfind"
	"github.com/adtinfer/adtinfer/cmd/adtinfer/testdata/types/workqueue"
	"github.com/adtinfer/adtinfer/describe/internal/refusal"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// refusals say of plain types why they have no specification.
var refusals = []struct {
	make    any
	kind    refusal.Kind
	reason  string // how it starts
	example []string
	advice  string // how some advice starts
	skip    string
}{
	{sessions.NewManager, refusal.MadeUp, "login answers with a value that it makes up", []string{`login(a) => "session-1"`}, "let the caller choose the value", ""},
	{applog.New, refusal.MadeUp, "append answers with a value that it makes up", []string{"append(a) => 0"}, "let the caller choose the value", ""},
	{func() *counter.Counter { return new(counter.Counter) }, refusal.Count, "value answers with a number that it computes",
		[]string{"inc; value => 1"}, "", ""},
	{func() *mailbox.Mailbox { return new(mailbox.Mailbox) }, refusal.Count, "len answers with a number that it computes",
		[]string{"send(a); len => 1"}, "", "len"},
	{bank.New, refusal.Count, "balance answers with a number that it computes", nil, "", ""},
	{func() *register.Register { return new(register.Register) }, refusal.Initial, "read answers with a value before anybody passed one in",
		[]string{"read => 0"}, "let it say that there is no value yet: Read() (int, bool)", ""},
	{lease.New, refusal.Initial, "holder answers with a value before", []string{`holder => ""`}, "let it say that there is no value yet: Holder() (string, bool)", ""},
	{snapshot.New, refusal.Initial, "scan answers with a value before", []string{"scan => 0, 0"}, "let it say that there is no value yet: Scan() (int, int, bool)", ""},
	{priorityqueue.New, refusal.Order, "which value popMin answers depends on which one is the smaller",
		[]string{"push(1); push(2); popMin => 1", "push(2); push(1); popMin => 1"}, "for a priority queue, use check --theory", ""},
	{func() *maxregister.Max { return new(maxregister.Max) }, refusal.Order, "which value value answers depends",
		[]string{"update(1); update(2); value => 2", "update(2); update(1); value => 2"}, "", ""},
	{ratelimiter.New, refusal.Capacity, "allow answers differently after 3 calls", []string{"allow => true, 3 times in all; allow => false"}, "", ""},
	{semaphore100.New, refusal.Capacity, "tryAcquire answers differently after 100 calls", []string{"tryAcquire => true, 100 times in all; tryAcquire => false"}, "", ""},
	{func() *rwlock.RWLock { return new(rwlock.RWLock) }, refusal.Count, "answers depend on how often tryRLock was called",
		[]string{"tryRLock => true; tryRLock => true; rUnlock => true; rUnlock => true", "tryRLock => true; rUnlock => true; rUnlock => false"}, "", ""},
	{delayqueue.New, refusal.Count, "answers depend on how often tick was called",
		[]string{"put(1); tick; tick; take => 1", "put(1); tick; take => nil"}, "", ""},
	{undostack.New, refusal.Overwritten, "clear undoes what an earlier call did", []string{"do(a); clear; undo => nil"}, "", "clear"},
	{func() *latch.Latch { return new(latch.Latch) }, refusal.Silent, "the answer of isOpen depends on a call of open",
		[]string{"open; isOpen => true", "isOpen => false"}, "", ""},
	{ownerlock.New, refusal.Silent, "the answer of acquire depends on a call of acquire",
		[]string{"acquire(a) => true; acquire(b) => false", "acquire(b) => true"}, "", ""},
	{func() *stack.Stack { return new(stack.Stack) }, refusal.Silent, "the answer of isEmpty depends on a call of push",
		[]string{"push(1); isEmpty => false", "isEmpty => true"}, "", "isEmpty"},
	{func() *closablequeue.Queue { return new(closablequeue.Queue) }, refusal.Silent, "the answer of send depends on a call of close",
		[]string{"close => true; send(1) => errClosablequeueClosed", "send(1)"}, "", "close"},
	{workqueue.New, refusal.Several, "the answer of nack depends on several calls at once",
		[]string{"submit(a); fetch => a; nack(a) => true", "fetch => nil; nack(a) => false", "submit(a); nack(a) => false"}, "", "nack"},
	{unionfind.New, refusal.Several, "the answer of union depends on several calls at once",
		[]string{"union(1, 2) => true; union(1, 3) => true; union(2, 3) => false", "union(1, 3) => true; union(2, 3) => true", "union(1, 2) => true; union(2, 3) => true"}, "", ""},
	{func() *mutex.Mutex { return new(mutex.Mutex) }, refusal.Silent, "the answer of tryLock depends on a call of tryLock",
		[]string{"tryLock => true; tryLock => false", "tryLock => true"}, "", ""},
}

// stopping is a reference that comes to an end.
type stopping struct {
	reference.Implementation
	reason string
}

func (s stopping) Replay(context.Context, [][]reference.Call) ([][]reference.Answer, error) {
	return nil, &reference.Fault{Reason: s.reason, Sequence: "Unlock()"}
}

// TestStops: what to do about a reference that exits or hangs.
func TestStops(t *testing.T) {
	impl, err := reference.Of(func() *mutex.Mutex { return new(mutex.Mutex) })
	if err != nil {
		t.Fatal(err)
	}
	for reason, advice := range map[string]string{
		driver.EndsProcess: "if callers must not call it then",
		driver.Hangs:       "if it waits for another call",
	} {
		r := explain(t, stopping{impl, reason}, refusal.Options{})
		if r.Kind != refusal.Stops || len(r.Advice) != 1 || !strings.HasPrefix(r.Advice[0], advice) {
			t.Errorf("%s: %+v", reason, r)
		}
	}
}

// crate says on a label what is in it.
type crate struct{ things []string }

func (c *crate) Put(thing string) { c.things = append(c.things, thing) }
func (c *crate) Label() string    { return fmt.Sprintf("%d things", len(c.things)) }

// numbered makes up a ticket for what is put in.
type numbered struct{ n int }

func (c *numbered) Put(thing string) string { c.n++; return fmt.Sprintf("ticket %d", c.n) }

// TestChoose: the value of a method that only looks is not for its caller to choose.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		make   any
		chosen bool
	}{{func() *crate { return &crate{} }, false}, {func() *numbered { return &numbered{} }, true}} {
		impl, err := reference.Of(tt.make)
		if err != nil {
			t.Fatal(err)
		}
		r := explain(t, impl, refusal.Options{})
		if chosen := strings.Contains(r.Error(), "let the caller choose"); r.Kind != refusal.MadeUp || chosen != tt.chosen {
			t.Errorf("%s: %s", r.Kind, r.Error())
		}
	}
}

// TestExplain: the reason, the shortest calls that show it, and what to leave out.
func TestExplain(t *testing.T) {
	for _, tt := range testsize.Some(refusals, 2) {
		impl, err := reference.Of(tt.make)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(impl.Name(), func(t *testing.T) {
			if tt.skip == "nack" && os.Getenv("ADTINFER_NIGHTLY") == "" {
				t.Skip("what is left without nack takes long")
			}
			r := explain(t, impl, refusal.Options{})
			if r.Kind != tt.kind || !strings.HasPrefix(r.Reason, tt.reason) {
				t.Errorf("%s: %s\nwant %s: %s", r.Kind, r.Reason, tt.kind, tt.reason)
			}
			if diff := cmp.Diff(tt.example, r.Example); diff != "" && tt.example != nil {
				t.Errorf("example -want +got:\n%s", diff)
			}
			if r.Skip != tt.skip {
				t.Errorf("leave out %q, want %q", r.Skip, tt.skip)
			}
			if !strings.Contains(r.Error(), "\n"+tt.advice) {
				t.Errorf("no advice %q in\n%s", tt.advice, r)
			}
			for _, word := range []string{"match", "scheme", "faithful", "normal", "predicate", "synthesis"} {
				if strings.Contains(r.Error(), word) {
					t.Errorf("the solver's word %q in\n%s", word, r)
				}
			}
		})
	}
}

// explain infers and wants a refusal.
func explain(t *testing.T, impl reference.Implementation, o refusal.Options) *refusal.Refusal {
	t.Helper()
	_, err := patterns.Infer(t.Context(), impl, reference.Info{}, patterns.Options{})
	if err == nil {
		t.Fatal("there is a theory")
	}
	var r *refusal.Refusal
	if got := refusal.Explain(t.Context(), impl, reference.Info{}, o, err); !errors.As(got, &r) {
		t.Fatalf("no refusal: %v", got)
	}
	if !errors.Is(r, err) && r.Kind != refusal.Stops {
		t.Errorf("the refusal does not wrap %v", err)
	}
	return r
}

// TestUseful: a method is not recommended to be left out if what that gives is
// useless to the caller.
func TestUseful(t *testing.T) {
	impl, err := reference.Of(func() *mailbox.Mailbox { return new(mailbox.Mailbox) })
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	r := explain(t, impl, refusal.Options{Useful: func(_ context.Context, less reference.Implementation, th *theory.Theory) bool {
		asked++
		if len(less.Methods()) != 2 || len(th.Spec.Patterns) != 7 {
			t.Errorf("%d methods, %d patterns", len(less.Methods()), len(th.Spec.Patterns))
		}
		return false
	}})
	if asked != 1 || r.Skip != "" {
		t.Errorf("asked %d times; leave out %q", asked, r.Skip)
	}
}

// TestExplainOthers: errors that are not about the reference stay as they are.
func TestExplainOthers(t *testing.T) {
	impl, err := reference.Of(counterOf)
	if err != nil {
		t.Fatal(err)
	}
	other := errors.New("no space left")
	if got := refusal.Explain(t.Context(), impl, reference.Info{}, refusal.Options{}, other); got != other {
		t.Errorf("%v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := refusal.Explain(ctx, impl, reference.Info{}, refusal.Options{}, patterns.ErrNoEnd); got != patterns.ErrNoEnd {
		t.Errorf("%v", got)
	}
}

// TestExplainBounds: an inference that ended at its bounds is explained by a
// capacity, and otherwise not at all.
func TestExplainBounds(t *testing.T) {
	for _, tt := range []struct {
		constructor any
		kind        refusal.Kind // "" for the error itself
	}{
		{ratelimiter.New, refusal.Capacity},
		{func() *mailbox.Mailbox { return new(mailbox.Mailbox) }, ""},
	} {
		impl, err := reference.Of(tt.constructor)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{patterns.ErrNoEnd, &patterns.Disagrees{}} {
			got := refusal.Explain(t.Context(), impl, reference.Info{}, refusal.Options{}, err)
			var r *refusal.Refusal
			switch {
			case !errors.Is(got, err):
				t.Errorf("%s: %v is lost: %v", impl.Name(), err, got)
			case errors.As(got, &r) != (tt.kind != "") || r != nil && r.Kind != tt.kind:
				t.Errorf("%s: %v, want %q", impl.Name(), got, tt.kind)
			}
		}
	}
}

func counterOf() *counter.Counter { return new(counter.Counter) }
