package adttest

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// bag is a nondeterministic reference: remove returns any element.
type bag struct{ n map[int]int }

func (b *bag) accept(c reference.Claim) bool {
	switch {
	case c.Method == "add":
		b.n[c.Args[0].(int)]++
		return true
	case c.Outcome == "nil":
		return len(b.n) == 0
	}
	v := c.Rets[0].(int)
	if b.n[v] == 0 || c.Method == "peek" {
		return b.n[v] > 0
	}
	if b.n[v]--; b.n[v] == 0 {
		delete(b.n, v)
	}
	return true
}

var bagSpec = reference.Spec{
	Name:   "bag",
	New:    func() *bag { return &bag{map[int]int{}} },
	Accept: (*bag).accept,
	Operations: []reference.Operation{
		{Name: "add", Func: (func(int))(nil)},
		{Name: "remove", Func: (func() (int, bool))(nil)},
		{Name: "peek", Func: (func() (int, bool))(nil)},
	},
}

// subjectOf is a subject with the methods of a type for tests.
func subjectOf(t *historytest.Type) *subject {
	s := &subject{}
	for _, m := range t.Methods {
		s.methods = append(s.methods, method{name: m.Name, goName: m.Name, params: slices.Repeat([]reflect.Type{reflect.TypeFor[int]()}, min(1, max(m.Takes, -m.Takes)))})
	}
	return s
}

// TestOracle compares the search on a reference with a search that tries
// everything, in histories within the language and beyond.
func TestOracle(t *testing.T) {
	for name, tt := range map[string]struct {
		t   historytest.Type
		ref any
	}{
		"queue":    {historytest.Queue(), queue.Spec},
		"stack":    {historytest.Stack(), stack.Spec},
		"register": {historytest.Register(), register.Spec},
		"lock":     {historytest.Lock(), lock.Spec},
		"set":      {historytest.Set(), set.Spec},
		"bag":      {historytest.Bag(), bagSpec},
	} {
		spec, err := specOf(tt.ref)
		if err != nil {
			t.Fatal(err)
		}
		o, err := newOracle(spec, subjectOf(&tt.t))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[bool]int{}
		for seed := range testsize.Samples(3000) {
			typ := tt.t
			if seed%2 == 0 {
				typ = typ.Reusing(2)
			}
			e := typ.Execution(rand.New(rand.NewPCG(seed, 3)), 7, 3, 4)
			want := typ.Model.ShortestViolation(e)
			r, err := o.admits(t.Context(), e, false, callLimit)
			if err != nil {
				t.Fatal(err)
			}
			if r.undecided != "" && name == "bag" && hasPending(e) {
				continue
			}
			if r.admitted != (want == 0) || r.undecided != "" {
				t.Fatalf("%s, seed %d: %+v, want %v\n%s", name, seed, r, want == 0, historytest.Text(e))
			}
			seen[r.admitted]++
			if !r.admitted {
				if got := o.shortest(t.Context(), e); got != want && name != "bag" {
					t.Fatalf("%s, seed %d: shortest %d, want %d\n%s", name, seed, got, want, historytest.Text(e))
				}
				continue
			}
			var labels []history.Label
			for _, i := range r.order {
				if e.Ops[i].Completed() {
					labels = append(labels, e.Ops[i].Label)
				}
			}
			if !hasPending(e) && (!typ.Model.AdmitsAll(labels) || len(labels) != len(e.Ops)) {
				t.Fatalf("%s, seed %d: the order %v is none\n%s", name, seed, r.order, historytest.Text(e))
			}
		}
		if min(seen[true], seen[false]) < 2 {
			t.Errorf("%s: one-sided: %v", name, seen)
		}
	}
}

func hasPending(e *history.Execution) bool {
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			return true
		}
	}
	return false
}

// blocking is a queue whose Remove waits, as a reference says it.
type blocking struct{ queue.Queue }

func (q *blocking) Remove() int {
	v, ok := q.Queue.Remove()
	if !ok {
		panic(reference.Blocked)
	}
	return v
}

// TestMayWait compares with all orders of what returned: some of them leaves a
// queue that is empty, if there are removes that did not return.
func TestMayWait(t *testing.T) {
	typ := historytest.Queue()
	o, err := newOracle(reference.Spec{New: func() *blocking { return &blocking{} }}, subjectOf(&typ))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[bool]int{}
	for seed := range testsize.Samples(3000) {
		e := typ.Execution(rand.New(rand.NewPCG(seed, 4)), 6, 3, 9)
		for i := range e.Ops {
			if o := &e.Ops[i]; o.Outcome == history.Nil { // waits instead
				o.Outcome, o.Return = history.Pending, history.NoReturn
			}
		}
		want := emptied(typ.Model, e, "", map[int]bool{})
		r, err := o.admits(t.Context(), e, true, callLimit)
		if err != nil || r.admitted != want || r.undecided != "" {
			t.Fatalf("seed %d: %+v, %v; want %v\n%s", seed, r, err, want, historytest.Text(e))
		}
		seen[want]++
	}
	if min(seen[true], seen[false]) < 2 {
		t.Errorf("one-sided: %v", seen)
	}
}

// emptied tries all orders of the completed operations that are not done yet.
func emptied(m historytest.Model, e *history.Execution, state string, done map[int]bool) bool {
	rest, waits := 0, false
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			if e.Ops[i].Method == "add" {
				return false // an add never waits
			}
			waits = true
			continue
		}
		if done[i] {
			continue
		}
		rest++
		early := true
		for k := range e.Ops {
			early = early && (done[k] || k == i || !e.Before(k, i))
		}
		for _, w := range m(state, &e.Ops[i].Label) {
			if early && w.Gives(&e.Ops[i].Label) {
				done[i] = true
				if emptied(m, e, w.Next, done) {
					return true
				}
				delete(done, i)
			}
		}
	}
	return rest == 0 && (!waits || state == "")
}

// TestOracleLimit says that it does not know, and ends with its context.
func TestOracleLimit(t *testing.T) {
	typ := historytest.Queue()
	o, err := newOracle(queue.Spec, subjectOf(&typ))
	if err != nil {
		t.Fatal(err)
	}
	e := wide(12)
	r, err := o.admits(t.Context(), e, false, 1<<20)
	if err != nil || r.admitted || !strings.Contains(r.undecided, "ended at 1 MB of memory") {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err = o.admits(ctx, e, false, 1<<60)
	if err != nil || r.admitted || !strings.Contains(r.undecided, "interrupted") {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
}

// wide is n adds at the same time, and then a remove of what nobody added.
func wide(n int) *history.Execution {
	e := &history.Execution{Events: 2*n + 2}
	for i := range n {
		id := strconv.Itoa(i + 1)
		e.Ops = append(e.Ops, history.Operation{ID: id, Call: i, Return: n + i,
			Label: history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{history.Value(id)}}})
	}
	e.Ops = append(e.Ops, history.Operation{ID: strconv.Itoa(n + 1), Call: 2 * n, Return: 2*n + 1,
		Label: history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"99"}}})
	return e
}

// faulty is a reference that no reference may be.
type faulty struct {
	mu sync.Mutex
	queue.Queue
}

func (q *faulty) Remove() (int, bool) {
	q.mu.Lock()
	v, ok := q.Queue.Remove()
	if ok && v == 3 {
		return v, ok // the next one waits for the lock
	}
	if ok && v == 4 {
		panic("four")
	}
	q.mu.Unlock()
	return v, ok
}

func TestFaultyReference(t *testing.T) {
	typ := historytest.Queue()
	o, err := newOracle(reference.Spec{New: func() *faulty { return &faulty{} }, Timeout: 100 * time.Millisecond}, subjectOf(&typ))
	if err != nil {
		t.Fatal(err)
	}
	add := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{v}}
	}
	none := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}}
	for value, want := range map[history.Value]string{"3": "; Remove(); Remove(): call 3 does not return", "4": ""} {
		some := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{value}}
		r, err := o.admits(t.Context(), history.Sequential(add(value), some, none), false, callLimit)
		if want == "" && (err != nil || r.admitted) { // to panic is an answer, too
			t.Errorf("%s: %+v, %v", value, r, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", value, err, want)
		}
	}
}
