package spec

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/examples/boundedqueue"
	"github.com/adtinfer/adtinfer/examples/casregister"
	"github.com/adtinfer/adtinfer/examples/counter"
	"github.com/adtinfer/adtinfer/examples/deque"
	"github.com/adtinfer/adtinfer/examples/kv"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/mutex"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/semaphore"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// listOf is calls of all methods of a theory: with values from 1 to d, and fresh ones
// where fresh says so.
func listOf(methods []history.MethodSig, d, most int, fresh map[string]int) *List {
	l := &List{Methods: methods, Most: most, Fresh: fresh}
	for _, m := range methods {
		args := [][]history.Value{nil}
		for i := range m.Args {
			n := d
			if f, ok := fresh[m.Name]; ok && f == i {
				n = most
			}
			var longer [][]history.Value
			for _, a := range args {
				for v := range n {
					longer = append(longer, append(slices.Clip(a), history.Value(strconv.Itoa(v+1))))
				}
			}
			args = longer
		}
		for _, a := range args {
			l.Labels = append(l.Labels, history.Label{Kind: history.Kind{Method: m.Name}, Args: a})
		}
	}
	return l
}

// oracle lists what a call may answer after some operations.
type oracle func(t *testing.T, after []history.Label, call *history.Label) []Answer

// ofModel is a data type as a function.
func ofModel(m historytest.Model) oracle {
	return func(_ *testing.T, after []history.Label, call *history.Label) (all []Answer) {
		states := map[string]bool{"": true}
		for i := range after {
			next := map[string]bool{}
			for s := range states {
				for _, w := range m(s, &after[i]) {
					if w.Gives(&after[i]) {
						next[w.Next] = true
					}
				}
			}
			states = next
		}
		for s := range states {
			for _, w := range m(s, call) {
				all = append(all, Answer{w.Outcome, w.Rets})
			}
		}
		return all
	}
}

// ofReference replays a reference: each time from the beginning.
func ofReference(t *testing.T, impl reference.Implementation) oracle {
	known := map[string][]Answer{}
	return func(_ *testing.T, after []history.Label, call *history.Label) []Answer {
		var seq []reference.Call
		for _, l := range append(slices.Clip(after), *call) {
			m := slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == l.Method })
			seq = append(seq, reference.Call{Method: m, Values: l.Args})
		}
		key := fmt.Sprint(seq)
		if all, ok := known[key]; ok {
			return all
		}
		answers, err := impl.Replay(context.Background(), [][]reference.Call{seq})
		if err != nil {
			t.Fatal(err)
		}
		a := answers[0][len(answers[0])-1]
		var all []Answer
		if len(answers[0]) == len(seq) && !a.Blocked {
			var rets []history.Value
			for _, v := range a.Rets {
				rets = append(rets, history.Value(strings.Trim(string(v), `()"`)))
			}
			all = []Answer{{a.Outcome, rets}}
		}
		known[key] = all
		return all
	}
}

// comparison walks sequences of operations, and compares.
type comparison struct {
	t      *testing.T
	spec   Spec
	table  *Answers
	list   *List
	oracle oracle
	open   bool // calls may answer values that nobody knows, which the oracle does not list
	failed func(format string, args ...any)
}

func texts(all []Answer) []string {
	var texts []string
	for _, a := range all {
		texts = append(texts, fmt.Sprint(a))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// next compares what a call may answer, and gives the states after each answer.
func (c *comparison) next(states map[int32]bool, after []history.Label, call int) map[int32]map[int32]bool {
	to := map[int32]map[int32]bool{}
	for s := range states {
		moves, err := c.spec.Moves(s, int32(call))
		if err != nil {
			c.failed("after %v: %v", after, err)
		}
		for _, m := range moves {
			if to[m.Answer] == nil {
				to[m.Answer] = map[int32]bool{}
			}
			to[m.Answer][m.Next] = true
		}
	}
	var got []Answer
	for n := range to {
		if a := c.table.Answer(n); c.open && slices.ContainsFunc(a.Rets, func(v history.Value) bool { return strings.HasPrefix(string(v), "?") }) {
			delete(to, n)
		} else {
			got = append(got, a)
		}
	}
	want := c.oracle(c.t, after, &c.list.Labels[call])
	if !slices.Equal(texts(got), texts(want)) {
		c.failed("after %s: %s may answer %v, not %v", wordsOf(after), c.list.Labels[call], texts(want), texts(got))
	}
	return to
}

// used reports whether a call would not be fresh any more.
func (c *comparison) used(after []history.Label, call *history.Label) bool {
	k, ok := c.list.Fresh[call.Method]
	return ok && slices.ContainsFunc(after, func(l history.Label) bool {
		i, fresh := c.list.Fresh[l.Method]
		return fresh && l.Args[i] == call.Args[k]
	})
}

func (c *comparison) with(after []history.Label, call int, answer int32) []history.Label {
	l := c.list.Labels[call]
	a := c.table.Answer(answer)
	l.Outcome, l.Rets = a.Outcome, a.Rets
	return append(slices.Clip(after), l)
}

// all compares all sequences up to a length.
func (c *comparison) all(states map[int32]bool, after []history.Label, length int) int {
	n := 0
	for call := range c.list.Labels {
		if c.used(after, &c.list.Labels[call]) {
			continue
		}
		n++
		for answer, next := range c.next(states, after, call) {
			if length > 1 {
				n += c.all(next, c.with(after, call, answer), length-1)
			}
		}
	}
	return n
}

// random compares a random sequence.
func (c *comparison) random(r *rand.Rand, length int) {
	states, after := map[int32]bool{c.spec.Start(): true}, []history.Label(nil)
	for range length {
		call := r.IntN(len(c.list.Labels))
		if c.used(after, &c.list.Labels[call]) {
			continue
		}
		to := c.next(states, after, call)
		if answers := slices.Sorted(maps.Keys(to)); len(answers) > 0 {
			answer := answers[r.IntN(len(answers))]
			states, after = to[answer], c.with(after, call, answer)
		}
	}
}

// subject is a theory with what it describes.
type subject struct {
	path   string
	oracle oracle
	fresh  map[string]int
	values int
	long   int // operations of random sequences
}

// subjects are all theories of the project that describe executions of one operation
// at a time, and are no mere model.
func subjects(t *testing.T) []subject {
	made := func(impl reference.Implementation, err error) oracle {
		if err != nil {
			t.Fatal(err)
		}
		return ofReference(t, impl)
	}
	own := func(s reference.Spec) oracle { return made(reference.New(s)) }
	of := func(constructor any) oracle { return made(reference.Of(constructor)) }
	without := func(typ historytest.Type) oracle { return ofModel(typ.Model) }
	arg := func(methods ...string) map[string]int {
		fresh := map[string]int{}
		for _, m := range methods {
			fresh[m] = 0
		}
		return fresh
	}
	return []subject{
		{"theories/queue", without(historytest.Queue()), arg("add"), 0, 6},
		{"theories/stack", without(historytest.Stack()), arg("add"), 0, 6},
		{"theories/bag", without(historytest.Bag()), arg("add"), 0, 6},
		{"theories/priorityqueue", without(historytest.PriorityQueue()), arg("add"), 0, 5},
		{"theories/register", without(historytest.Register()), arg("write"), 0, 6},
		{"theories/lock", without(historytest.Lock()), arg("lock"), 0, 6},
		{"theories/semaphore", without(historytest.Semaphore()), arg("acquire"), 2, 6},
		{"theories/plainset", without(historytest.PlainSet()), nil, 2, 5},
		{"theories/set", without(historytest.Set()), arg("insert"), 2, 4},
		{"examples/queue/queue", own(queue.Spec), arg("add"), 0, 6},
		{"examples/stack/stack", own(stack.Spec), arg("add"), 0, 6},
		{"examples/worksteal/worksteal", own(worksteal.Spec), arg("give"), 0, 6},
		{"examples/deque/deque", own(deque.Spec), arg("pushFront", "pushBack"), 0, 6},
		{"examples/boundedqueue/boundedqueue", of(func() *boundedqueue.Queue { return boundedqueue.New(100) }), arg("offer"), 0, 6},
		{"examples/casregister/casregister", of(func() *casregister.Register { return new(casregister.Register) }), nil, 2, 12},
		{"examples/counter/counter", of(func() *counter.Counter { return new(counter.Counter) }), nil, 2, 12},
		{"examples/kv/kv", of(kv.New), nil, 2, 12},
		{"examples/lock/lock", own(lock.Spec), nil, 2, 12},
		{"examples/mutex/mutex", of(func() *mutex.Mutex { return new(mutex.Mutex) }), nil, 2, 12},
		{"examples/register/register", own(register.Spec), nil, 2, 12},
		{"examples/semaphore/semaphore", of(func() *semaphore.Semaphore { return semaphore.New(10) }), nil, 2, 12},
		{"examples/set/set", own(set.Spec), nil, 2, 12},
	}
}

// TestOf compares what theories allow with what they describe: a function, or a
// reference that is replayed from the beginning each time.
func TestOf(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.path, func(t *testing.T) {
			t.Parallel()
			th := readTheory(t, s.path)
			length := 4
			if s.path == "examples/deque/deque" && !testsize.Long() {
				length = 3 // of four there are many
			}
			fresh, err := Fresh(th, nil, methodsOf(th))
			if err != nil || !maps.Equal(fresh, s.fresh) {
				t.Errorf("fresh: %v, %v; want %v", fresh, err, s.fresh)
			}
			c := &comparison{t: t, table: NewAnswers(), list: listOf(th.Spec.Methods, s.values, max(s.long, length), fresh), oracle: s.oracle, failed: t.Fatalf}
			if c.spec, err = Of(context.Background(), th, c.list, c.table); err != nil {
				t.Fatal(err)
			}
			c.all(map[int32]bool{c.spec.Start(): true}, nil, length)
			for seed := range testsize.Samples(2000) {
				c.random(rand.New(rand.NewPCG(seed, 3)), s.long)
			}
		})
	}
}

// TestAutomata compares random sequences of automata and products with functions.
func TestAutomata(t *testing.T) {
	for _, d := range historytest.ByAutomata() {
		c := compared(t, d, 3)
		if l, ok := c.spec.(Learner); ok { // the function gives out tickets 1 to 12
			for v := range 12 {
				a := c.table.Number(Answer{history.Some, []history.Value{history.Value(strconv.Itoa(v + 1))}})
				if l.Learn(a) != (v >= 3) || l.Learn(a) {
					t.Errorf("%s: ticket %d is learned wrongly", d.Name, v+1)
				}
			}
		}
		c.all(map[int32]bool{c.spec.Start(): true}, nil, 3)
		for seed := range testsize.Samples(500) {
			c.random(rand.New(rand.NewPCG(seed, 4)), 12)
		}
	}
	for seed := range testsize.Samples(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		d, _ := historytest.RandomProduct(r, theory.ByKey, theory.InAll, theory.SumOfAll, theory.ByKey)
		c := compared(t, d, 2)
		for range 20 {
			c.random(r, 8)
		}
	}
}

func compared(t *testing.T, d historytest.Described, values int) *comparison {
	t.Helper()
	c := &comparison{t: t, table: NewAnswers(), list: listOf(d.Theory.Spec.Methods, values, 12, nil), oracle: ofModel(d.Model), failed: t.Fatalf}
	var err error
	if c.spec, err = Of(context.Background(), d.Theory, c.list, c.table); err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	_, c.open = c.spec.(Learner)
	return c
}

func methodsOf(t *theory.Theory) (names []string) {
	for _, m := range t.Spec.Methods {
		names = append(names, m.Name)
	}
	return names
}

func readTheory(t *testing.T, path string) *theory.Theory {
	t.Helper()
	th, err := theory.Read(strings.NewReader(historytest.Source(t, path+".theory.yaml")), path)
	if err != nil {
		t.Fatal(err)
	}
	return th
}
