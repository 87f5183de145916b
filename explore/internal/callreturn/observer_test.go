package callreturn

import (
	"slices"
	"strconv"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/calls"
	"github.com/adtinfer/adtinfer/explore/internal/linear"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testsize"
)

// object is a data type with calls that add so many values, and one that removes.
type object struct {
	list    *calls.List
	answers *spec.Answers
	spec    spec.Spec
	order   Order
	model   string
	none    int32   // the answer of an addition
	removal []int32 // the answers of a removal
	remove  int32   // the call
}

// newObject waits for values, or answers that there are none.
func newObject(t *testing.T, order Order, adds int, waits bool) *object {
	t.Helper()
	o := &object{answers: spec.NewAnswers(), order: order, model: [2]string{"queue", "stack"}[order], remove: int32(adds)}
	outcomes := []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}
	if !waits {
		outcomes = append(outcomes, history.OutcomeSig{Outcome: history.Nil})
		o.removal = append(o.removal, o.answers.Number(spec.Answer{Outcome: history.Nil}))
	}
	o.none = o.answers.Number(spec.Answer{Outcome: history.None})
	o.list = &calls.List{Most: 2 * adds, Fresh: map[string]int{"add": 0}, Methods: []history.MethodSig{
		{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "remove", Outcomes: outcomes},
	}}
	for v := range adds {
		value := history.Value(strconv.Itoa(v + 1))
		o.list.Labels = append(o.list.Labels, history.Label{Kind: history.Kind{Method: "add"}, Args: []history.Value{value}})
		o.removal = append(o.removal, o.answers.Number(spec.Answer{Outcome: history.Some, Rets: []history.Value{value}}))
	}
	o.list.Labels = append(o.list.Labels, history.Label{Kind: history.Kind{Method: "remove"}})
	var err error
	if o.spec, err = spec.Model(o.model, o.list, o.answers); err != nil {
		t.Fatal(err)
	}
	return o
}

// node is what both know of a history: the observer, and the sets of configurations.
type node struct {
	state, set int32
	runs       string // by thread: the call plus one
	adds, ops  int    // that were called
}

// walker visits all histories of so many threads and operations.
type walker struct {
	*testing.T
	*object
	threads, adds, ops int
	observer           *Observer
	sets               *linear.Sets

	seen                   map[node]bool
	alarms, misses         int
	linear, refused, later int
}

func walk(t *testing.T, o *object, threads, adds, ops int) *walker {
	t.Helper()
	observer, err := New(o.order, o.list, o.answers, threads)
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{T: t, object: o, threads: threads, adds: adds, ops: ops, observer: observer, sets: linear.New(o.spec, threads), seen: map[node]bool{}}
	w.visit(node{w.observer.Start(), w.sets.Start(), string(make([]byte, threads)), 0, 0})
	return w
}

func (w *walker) visit(n node) {
	if w.seen[n] {
		return
	}
	w.seen[n] = true
	idle := n.runs == string(make([]byte, w.threads))
	switch {
	case n.set == linear.None && n.state == linear.None:
		w.refused++
		return
	case n.state == linear.None:
		w.alarms++
		return
	case n.set == linear.None && idle:
		w.misses++
		return
	case n.set == linear.None:
		w.later++ // and no more calls
	default:
		w.linear++
		w.waiting(n)
	}
	for t := range w.threads {
		if n.runs[t] != 0 {
			w.returns(n, t)
		}
	}
	free := slices.Index([]byte(n.runs), 0) // names of threads say nothing
	if n.ops == w.ops || free < 0 || n.set == linear.None {
		return
	}
	w.called(n, free, w.remove)
	if n.adds < w.adds {
		w.called(n, free, int32(n.adds))
	}
}

func (w *walker) called(n node, thread int, call int32) {
	runs := []byte(n.runs)
	runs[thread] = byte(call) + 1
	next := node{runs: string(runs), adds: n.adds, ops: n.ops + 1}
	if call != w.remove {
		next.adds++
	}
	next.state = must(w.observer.Call(n.state, thread, call))
	next.set = must(w.sets.Call(n.set, thread, call))
	w.visit(next)
}

func (w *walker) returns(n node, thread int) {
	answers := []int32{w.none}
	if int32(n.runs[thread])-1 == w.remove {
		answers = w.removal
	}
	runs := []byte(n.runs)
	runs[thread] = 0
	for _, a := range answers {
		next := node{runs: string(runs), adds: n.adds, ops: n.ops}
		next.state = must(w.observer.Return(n.state, thread, a))
		if n.set != linear.None {
			next.set = must(w.sets.Return(n.set, thread, a))
		}
		w.visit(next)
	}
}

// waiting compares who may wait.
func (w *walker) waiting(n node) {
	for some := 0; some < 1<<w.threads; some++ {
		var who []int
		for t := range w.threads {
			if some&(1<<t) != 0 && n.runs[t] != 0 {
				who = append(who, t)
			}
		}
		got, want := must(w.observer.MayWait(n.state, who)), must(w.sets.MayWait(n.set, who))
		if got != want {
			w.Fatalf("%v may wait: %v, want %v\n%+v\n%v", who, got, want, w.observer.states[n.state], n.runs)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// TestAllHistories compares with sets of configurations: all histories of a queue and a stack, complete
// or not, up to the first event that makes them no linearizable ones.
func TestAllHistories(t *testing.T) {
	bounds := []struct{ threads, adds, ops int }{{2, 3, 7}, {3, 3, 6}}
	if testsize.Long() {
		bounds = append(bounds, struct{ threads, adds, ops int }{2, 5, 10}, struct{ threads, adds, ops int }{3, 4, 8}, struct{ threads, adds, ops int }{4, 3, 6})
	}
	for _, order := range []Order{FIFO, LIFO} {
		for _, b := range bounds {
			for _, waits := range []bool{false, true} {
				o := newObject(t, order, b.adds, waits)
				w := walk(t, o, b.threads, b.adds, b.ops)
				t.Logf("%s, %d threads, %d operations, %d values, waits %v: %d pairs of states, %d linearizable, %d refused, %d later; %d states, %d false alarms, %d misses",
					o.model, b.threads, b.ops, b.adds, waits, len(w.seen), w.linear, w.refused, w.later, w.observer.Count(), w.alarms, w.misses)
				if w.alarms+w.misses > 0 || w.refused == 0 {
					t.Error("observer and sets differ")
				}
			}
		}
	}
}
