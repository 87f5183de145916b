package judge

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

var examples = []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec}

// store maps values to values.
type store struct{ values map[int]int }

func newStore() *store { return &store{map[int]int{}} }

func (s *store) Put(k, v int) { s.values[k] = v }

func (s *store) Get(k int) (int, bool) {
	v, ok := s.values[k]
	return v, ok
}

// storeSpec speaks of executions that never overwrite.
var storeSpec = reference.Spec{
	Name: "store",
	New:  newStore,
	Language: []reference.Rule{{
		Name:    "put-once",
		Formula: "forall x:Op, y:Op. method(x) = put & method(y) = put & arg(x) = arg(y) -> x = y",
		Reading: "each key is put at most once",
	}},
	Target: []string{
		"method(y) = put & arg(y) = arg(x) & arg(y, 2) = ret(x)",
		"method(y) = put & outcome(x) = nil & arg(y) = arg(x)",
		"x = y & (method(x) = put | outcome(x) = nil)",
	},
	ReadOnly: "method(x) = get",
}

func implementation(t *testing.T, spec reference.Spec) reference.Implementation {
	t.Helper()
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return impl
}

// fewer are the options for plain tests.
func fewer() Options {
	if testsize.Nightly() {
		return Options{LongRuns: DefaultLongRuns, Words: DefaultWords}
	}
	return Options{LongRuns: 12, Words: 1_000}
}

// quick is enough of a check for types whose scheme is known.
var quick = matching.Budget{Executions: 1_000, MinLength: 3, MaxLength: 4}

// TestExamples: the theories of the examples are right in long runs and reject
// every mutant that is not equivalent.
func TestExamples(t *testing.T) {
	testsize.NeedsLong(t)
	for _, spec := range examples {
		th := example(t, spec.Name)
		impl := implementation(t, spec)
		o, err := newOracle(th)
		if err != nil {
			t.Fatal(err)
		}
		r := &runner{newLabeler(impl.Methods(), false), NewLineup(impl).asked, o}
		runs, wrong, err := r.longRuns(context.Background(), fewer().LongRuns)
		if err != nil || wrong != nil || runs.Calls == 0 {
			t.Errorf("%s: %v, %v, %+v", spec.Name, err, wrong, runs)
		}
		m, err := r.mutants(context.Background(), NewLineup(impl), fewer().Words)
		if err != nil || m.Seen == 0 || m.Seen+m.Equivalent != m.Made || len(m.Unseen)+len(m.Dropped) > 0 {
			t.Errorf("%s: %v, %+v", spec.Name, err, m)
		}
	}
}

// TestSameTwice: a judgement is the same when it is made again.
func TestSameTwice(t *testing.T) {
	var all []theory.Status
	for range 2 {
		th, err := Infer(context.Background(), implementation(t, queue.Spec), queue.Spec.Info(), patterns.Options{}, fewer())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, th.Status)
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Error(diff)
	}
}

// TestLessPatterns: a theory that lost a pattern is found out by long runs, which show a
// miss. Many are needed: other patterns exclude most wrong answers in a long run, too.
func TestLessPatterns(t *testing.T) {
	specs := []reference.Spec{register.Spec, queue.Spec, stack.Spec}
	if !testsize.Long() {
		specs = specs[:2]
	}
	for _, spec := range specs {
		whole := example(t, spec.Name)
		impl := implementation(t, spec)
		for i, lost := range whole.Spec.Patterns {
			less := *whole
			less.Spec.Patterns = append(append([]theory.Pattern{}, whole.Spec.Patterns[:i]...), whole.Spec.Patterns[i+1:]...)
			o, err := newOracle(&less)
			if err != nil {
				t.Fatal(err)
			}
			r := &runner{newLabeler(impl.Methods(), false), NewLineup(impl).asked, o}
			_, wrong, err := r.longRuns(context.Background(), 16*DefaultLongRuns)
			if err != nil {
				t.Fatal(err)
			}
			if wrong == nil || !wrong.Missed || len(wrong.Execution) > 5 {
				t.Errorf("%s without %s: %v", spec.Name, lost.Name, wrong)
			}
		}
	}
}

// TestTooEarly: an inference that is made to stop before it is through gives a
// theory that misses what short runs show.
func TestTooEarly(t *testing.T) {
	o := patterns.Options{MaxWeight: 1, CrossLength: 1}
	_, err := Infer(context.Background(), implementation(t, queue.Spec), queue.Spec.Info(), o, fewer())
	var wrong *Wrong
	if !errors.As(err, &wrong) || !wrong.Missed || len(wrong.Execution) > 4 {
		t.Error(err)
	}
}

// TestDeepened: a short difference makes an inference look further, once, if that
// is affordable.
func TestDeepened(t *testing.T) {
	impl := implementation(t, queue.Spec)
	th := example(t, "queue")
	labels := make([]history.Label, 6)
	o, ok := deepened(patterns.Options{}, impl, th, &Wrong{Execution: labels, Missed: true})
	if !ok || o.Depth != 6 || o.MinWeight != len(th.Status.Weights)+1 || o.Checks.Executions <= matching.DefaultBudget.Executions {
		t.Errorf("%v %+v", ok, o)
	}
	if _, ok := deepened(o, impl, th, &Wrong{Execution: labels}); ok {
		t.Error("it looks again where it has looked")
	}
	if _, ok := deepened(patterns.Options{}, impl, th, &Wrong{Execution: make([]history.Label, 9)}); ok {
		t.Error("nine calls are too many")
	}
	if _, ok := deepened(patterns.Options{}, &many{}, th, &Wrong{Execution: labels}); ok {
		t.Error("twenty methods are too many")
	}
}

// many has methods and nothing else.
type many struct{ reference.Implementation }

func (*many) Methods() []reference.Method { return make([]reference.Method, 20) }

// TestBlind: a store's theory that never overwrites does not see that puts do
// nothing to a key that has a value.
func TestBlind(t *testing.T) {
	impl := implementation(t, storeSpec)
	_, err := Infer(context.Background(), impl, storeSpec.Info(), patterns.Options{Checks: quick}, fewer())
	want := `judge: this specification does not notice that:
  put does nothing right after one with the same 1st argument: put(1, 1); put(1, 2); get(1) => 1
it covers only executions in which each key is put at most once`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want\n%s", err, want)
	}
	th, err := Infer(context.Background(), impl, storeSpec.Info(), patterns.Options{Checks: quick, Force: true}, fewer())
	if err != nil || !th.Status.Forced || len(th.Status.Mutants.Unseen) != 1 {
		t.Errorf("by force: %v, %+v", err, th)
	}
}

// reader has nothing that changes what it answers.
type reader struct{}

func (reader) Add(int)          {}
func (reader) Get() (int, bool) { return 0, false }

// TestEmpty: a theory that says nothing is refused.
func TestEmpty(t *testing.T) {
	impl, err := reference.Of(func() *reader { return &reader{} })
	if err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		th, err := Infer(context.Background(), impl, reference.Info{}, patterns.Options{Force: force}, fewer())
		var empty *Empty
		if force && (err != nil || !th.Status.Forced) || !force && !errors.As(err, &empty) {
			t.Errorf("force %v: %v, %+v", force, err, th)
		}
	}
}

// TestNotCovered: what was skipped and what never came is in the status.
func TestNotCovered(t *testing.T) {
	impl, err := reference.Of(func() *willing { return &willing{} })
	if err != nil {
		t.Fatal(err)
	}
	o := fewer()
	o.Skipped = []string{"method Drain is skipped: its result cannot carry a value"}
	th, err := Infer(context.Background(), impl, queue.Spec.Info(), patterns.Options{}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := append(o.Skipped, "add never answered false: is there a capacity, or another state that no run reached?")
	if diff := cmp.Diff(want, th.Status.NotCovered); diff != "" {
		t.Error(diff)
	}
}

// TestNotJudged: what cannot be replayed or checked is not judged, and says so.
func TestNotJudged(t *testing.T) {
	th, err := Infer(context.Background(), implementation(t, queue.Spec), queue.Spec.Info(), patterns.Options{Past: true}, fewer())
	if err != nil || th.Status.Mutants != nil || th.Status.LongRuns != nil || len(th.Status.NotCovered) != 1 {
		t.Errorf("%v, %+v", err, th)
	}
	if notJudged(struct{ reference.Acceptor }{}, example(t, "queue")) == "" {
		t.Error("an acceptor is judged")
	}
}

// willing is a queue that takes every value, and says so.
type willing struct{ queue.Queue }

func (w *willing) Add(v int) bool { w.Queue.Add(v); return true }

// brittle is a queue that goes wrong at its fortieth value.
type brittle struct {
	*ring
	wrong func()
}

func (b *brittle) Put(v int) {
	if len(b.values) == 40 {
		b.wrong()
	}
	b.ring.Put(v)
}

// TestBreaksDown: a reference that ends its goroutine or hangs in a long run is refused, with
// a few of the calls. If only a mutant does, the mutant is left out.
func TestBreaksDown(t *testing.T) {
	testsize.NeedsLong(t)
	for reason, wrong := range map[string]func(){
		driver.Panics: runtime.Goexit,
		driver.Hangs:  func() { select {} },
	} {
		spec := reference.Spec{New: func() *brittle { return &brittle{&ring{most: 1000}, wrong} },
			Operations: []reference.Operation{{Name: "add", Func: (*brittle).Put}, {Name: "remove", Func: func(b *brittle) (int, bool) { return b.Get() }}},
			Language:   queue.Spec.Language, Target: queue.Spec.Target, ReadOnly: queue.Spec.ReadOnly, Timeout: time.Second}
		impl := implementation(t, spec)
		_, err := Infer(context.Background(), impl, spec.Info(), patterns.Options{}, fewer())
		var fault *reference.Fault
		if !errors.As(err, &fault) || fault.Reason != reason || !strings.Contains(err.Error(), "in a long run") || len(err.Error()) > 300 {
			t.Errorf("%s: %v", reason, err)
		}
		if reason == driver.Hangs {
			continue // what hangs stays behind
		}
		th, err := Infer(context.Background(), impl, spec.Info(), patterns.Options{Force: true}, fewer())
		if err != nil || !th.Status.Forced || !strings.Contains(th.Status.LongRuns.Witness, reason) || th.Status.Mutants != nil {
			t.Errorf("by force: %v, %+v", err, th)
		}
	}
}

// TestMutantBreaksDown: a mutant that cannot be run is left out, and named.
func TestMutantBreaksDown(t *testing.T) {
	impl := implementation(t, queue.Spec)
	o, err := newOracle(example(t, "queue"))
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{newLabeler(impl.Methods(), false), &refusing{Implementation: impl}, o}
	m, err := r.mutants(context.Background(), NewLineup(r.impl), 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Dropped) != 1 || !strings.HasPrefix(m.Dropped[0], "add takes effect twice: ") || m.Made != 11 {
		t.Errorf("%+v", m)
	}
}

// refusing breaks down where hardly anything but add(1); add(1) is asked, instead of words
// of one call: when adds take effect twice.
type refusing struct{ reference.Implementation }

func (r *refusing) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	if n := len(seqs); n > 0 && n <= 2 && len(seqs[0]) == 2 && cmp.Equal(seqs[0][0], seqs[0][1]) && len(seqs[0][0].Args) > 0 {
		return nil, &reference.Fault{Reason: driver.Panics, At: 1}
	}
	return r.Implementation.Replay(ctx, seqs)
}

// TestStops: a judgement ends with its context.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := patterns.Options{Progress: func(doing string) {
		if strings.HasPrefix(doing, "checking the specification on") {
			cancel()
		}
	}}
	_, err := Infer(ctx, implementation(t, queue.Spec), queue.Spec.Info(), o, fewer())
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
