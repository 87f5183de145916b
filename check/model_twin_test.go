package check_test

import (
	"container/list"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type plainQueue struct{ items []int }

func (q *plainQueue) Add(v int) { q.items = append(q.items, v) }
func (q *plainQueue) Len() int  { return len(q.items) }
func (q *plainQueue) Remove() (v int, ok bool) {
	if len(q.items) > 0 {
		v, ok, q.items = q.items[0], true, slices.Clone(q.items[1:])
	}
	return v, ok
}

type casRegister struct{ v int }

func (r *casRegister) Load() int   { return r.v }
func (r *casRegister) Store(v int) { r.v = v }
func (r *casRegister) CompareAndSwap(a, b int) bool {
	if r.v != a {
		return false
	}
	r.v = b
	return true
}

type bank struct{ balance int }

func (b *bank) Deposit(n int) { b.balance += n }
func (b *bank) Balance() int  { return b.balance }
func (b *bank) Withdraw(n int) bool {
	if n > b.balance {
		return false
	}
	b.balance -= n
	return true
}

type plainMap struct{ m map[int]int }

func (m *plainMap) Put(k, v int) { m.m[k] = v }
func (m *plainMap) Delete(k int) { delete(m.m, k) }
func (m *plainMap) Get(k int) (v int, ok bool) {
	v, ok = m.m[k]
	return v, ok
}

// lru holds the two keys that were used last; container/list cannot be copied.
type lru struct{ l *list.List }

func (c *lru) Put(k int) {
	if !c.Has(k) {
		c.l.PushFront(k)
	}
	if c.l.Len() > 2 {
		c.l.Remove(c.l.Back())
	}
}

func (c *lru) Has(k int) bool {
	for e := c.l.Front(); e != nil; e = e.Next() {
		if e.Value == k {
			c.l.MoveToFront(e)
			return true
		}
	}
	return false
}

// gate is a semaphore of one place.
type gate struct{ shut bool }

func (g *gate) Leave() { g.shut = false }
func (g *gate) Enter() {
	if g.shut {
		panic(reference.Blocked)
	}
	g.shut = true
}

var references = []struct {
	name string
	spec reference.Spec
}{
	{"queue", reference.Spec{New: func() *plainQueue { return &plainQueue{} }}},
	{"cas", reference.Spec{New: func() *casRegister { return &casRegister{} }}},
	{"bank", reference.Spec{New: func() *bank { return &bank{} }}},
	{"map", reference.Spec{New: func() *plainMap { return &plainMap{map[int]int{}} }}},
	{"lru", reference.Spec{New: func() *lru { return &lru{list.New()} }}},
	{"gate", reference.Spec{New: func() *gate { return &gate{} }}},
}

func inProcess(t testing.TB, s reference.Spec) reference.Implementation {
	t.Helper()
	impl, err := reference.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	return impl
}

// asModel is a reference as a model of which a state is the calls that were made.
func asModel(t testing.TB, impl reference.Implementation) historytest.Model {
	known := map[string][]historytest.Way{}
	return func(state string, l *history.Label) []historytest.Way {
		next := state + l.Method + fmt.Sprint(l.Args) + ";"
		ways, ok := known[next]
		if ok {
			return ways
		}
		var calls []reference.Call
		for _, c := range strings.FieldsFunc(next, func(r rune) bool { return r == ';' }) {
			name, args, _ := strings.Cut(strings.TrimSuffix(c, "]"), "[")
			call := reference.Call{Method: slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == name })}
			for _, a := range strings.Fields(args) {
				call.Values = append(call.Values, history.Value(a))
			}
			calls = append(calls, call)
		}
		answers, err := impl.Replay(context.Background(), [][]reference.Call{calls})
		if err != nil {
			t.Fatal(err)
		}
		if a := answers[0][len(calls)-1]; !a.Blocked {
			for i := range a.Rets {
				a.Rets[i] = history.Value(strings.Trim(string(a.Rets[i]), "()"))
			}
			ways = []historytest.Way{{Outcome: a.Outcome, Rets: a.Rets, Next: next}}
		}
		known[next] = ways
		return ways
	}
}

// randomLog is a concurrent execution of a reference, in which answers may be wrong.
func randomLog(r *rand.Rand, impl reference.Implementation, m historytest.Model, ops, processes int) *history.Execution {
	e, state := &history.Execution{}, ""
	running, effect := make([]int, processes), make([]bool, ops)
	value := func() history.Value { return history.Value(strconv.Itoa(r.IntN(3))) }
	for range 5 * ops {
		p := r.IntN(processes)
		switch i := running[p] - 1; {
		case i < 0 && len(e.Ops) < ops:
			method := &impl.Methods()[r.IntN(len(impl.Methods()))]
			o := history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Process: strconv.Itoa(p), Call: e.Events, Return: history.NoReturn}
			o.Method = method.Name
			for range method.Args {
				o.Args = append(o.Args, value())
			}
			e.Ops, e.Events, running[p] = append(e.Ops, o), e.Events+1, len(e.Ops)+1
		case i < 0:
		case !effect[i]:
			ways := m(state, &e.Ops[i].Label)
			switch {
			case len(ways) == 0 && r.IntN(6) == 0: // it ought to wait
				effect[i], e.Ops[i].Outcome = true, history.None
			case len(ways) > 0:
				effect[i], state, e.Ops[i].Outcome, e.Ops[i].Rets = true, ways[0].Next, ways[0].Outcome, ways[0].Rets
			}
		case r.IntN(12) == 0:
			running[p] = 0 // it never returns
		default:
			e.Ops[i].Return, e.Events, running[p] = e.Events, e.Events+1, 0
		}
	}
	for i := range e.Ops {
		o := &e.Ops[i]
		if !o.Completed() {
			o.Outcome, o.Rets = history.Pending, nil
		} else if r.IntN(ops) == 0 {
			outs := impl.Methods()[slices.IndexFunc(impl.Methods(), func(m reference.Method) bool { return m.Name == o.Method })].Outcomes
			out := outs[r.IntN(len(outs))]
			o.Outcome, o.Rets = out.Outcome, nil
			for range out.Rets {
				o.Rets = append(o.Rets, value())
			}
		}
	}
	return e
}

// TestReferenceAgainstBruteForce: verdict and shortest prefix are those of a search
// that tries everything, and evidence and explanation are what they say.
func TestReferenceAgainstBruteForce(t *testing.T) {
	for _, ref := range references {
		t.Run(ref.name, func(t *testing.T) {
			t.Parallel()
			impl := inProcess(t, ref.spec)
			var c *check.Checker
			var brute historytest.Model
			violations, n := 0, testsize.Samples(600)
			for seed := range n {
				if seed%100 == 0 { // else states pile up
					c, brute = must(check.New(nil, check.Options{Reference: impl})), asModel(t, impl)
				}
				r := rand.New(rand.NewPCG(seed, 41))
				e := randomLog(r, impl, brute, 2+r.IntN(9), 2+r.IntN(3))
				got, err := c.Check(t.Context(), e)
				want := brute.ShortestViolation(e)
				if err != nil || got.Prefix != want || (got.Verdict == check.Violation) != (want > 0) || (got.Verdict == check.Linearizable) != (want == 0) {
					t.Fatalf("seed %d: %+v, %v; by brute force the prefix is %d\n%s", seed, got, err, want, historytest.Text(e))
				}
				if want > 0 {
					violations++
					explained(t, c, brute, e, got, seed)
				} else {
					proved(t, c, brute, e, got, seed)
				}
			}
			if violations < int(n)/20 || violations > int(n)-int(n)/20 {
				t.Errorf("too one-sided a sample: %d of %d are violations", violations, n)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// explained checks an explanation by brute force: what the last operation should have
// answered is that of the log and that of the listed operations alone, and without any one
// of these it is not.
func explained(t *testing.T, c *check.Checker, brute historytest.Model, e *history.Execution, got check.Result, seed uint64) {
	t.Helper()
	x, err := c.Explain(t.Context(), e, got)
	if err != nil {
		t.Fatalf("seed %d: %+v, %v\n%s", seed, x, err, historytest.Text(e))
	}
	if wrong := checktest.Misexplained(brute, e.Prefix(got.Prefix), x); wrong != "" {
		t.Fatalf("seed %d: %s\n%s\nof\n%s", seed, wrong, historytest.Text(x.Execution), historytest.Text(e))
	}
	order := slices.Clone(x.Order)
	if !inOrder(brute, e.Prefix(got.Prefix-1), order) {
		t.Fatalf("seed %d: %v is no linearization of the first %d events\n%s", seed, order, got.Prefix-1, historytest.Text(e))
	}
	if x.State == "" || x.Last.Return != got.Prefix-1 {
		t.Fatalf("seed %d: after %q the last operation is %+v\n%s", seed, x.State, x.Last, historytest.Text(e))
	}
}

// inOrder reports whether operations are a linearization of an execution.
func inOrder(brute historytest.Model, e *history.Execution, order []history.Operation) bool {
	var labels []history.Label
	seen, latest := map[string]bool{}, 0
	for _, o := range order {
		if seen[o.ID] || o.Completed() && o.Return < latest {
			return false
		}
		seen[o.ID], latest, labels = true, max(latest, o.Call), append(labels, o.Label)
	}
	for i := range e.Ops {
		if e.Ops[i].Completed() && !seen[e.Ops[i].ID] {
			return false
		}
	}
	return brute.AdmitsAll(labels)
}

// proved checks the evidence that an execution is linearizable.
func proved(t *testing.T, c *check.Checker, brute historytest.Model, e *history.Execution, got check.Result, seed uint64) {
	t.Helper()
	ev, err := c.Witness(t.Context(), e, got)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
	}
	if err := verifyOrder(t.Context(), e, ev, brute); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
	}
}

func verifyOrder(ctx context.Context, e *history.Execution, ev *evidence.Evidence, brute historytest.Model) error {
	return verify.Check(ctx, nil, e, ev, brute.Admits)
}

// TestModelFast compares procedures for built-in models with the search over them and with brute force, with values that come
// again, too, of which the procedures know nothing.
func TestModelFast(t *testing.T) {
	types := map[string]historytest.Type{"queue": historytest.Queue(), "stack": historytest.Stack(), "register": historytest.Register(), "lock": historytest.Lock(),
		"set": historytest.Set(), "bag": historytest.Bag(), "priority-queue": historytest.PriorityQueue()}
	for model, typ := range types {
		typ.Methods = slices.DeleteFunc(slices.Clone(typ.Methods), func(m historytest.Method) bool { return m.Name == "peek" })
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			fast := must(check.New(nil, check.ForTests(check.Options{Model: model}, 0, 1)))
			slow := must(check.New(nil, check.Options{Model: model, Engine: "wgl"}))
			asked, violations := 0, 0
			n := testsize.Samples(1000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 5))
				e := typ.Execution(r, 5+r.IntN(25), 1+r.IntN(4), []int{0, 9, 30}[r.IntN(3)])
				if r.IntN(8) == 0 { // a value comes twice
					again(r, e)
				}
				want, err := slow.Check(t.Context(), e)
				if err != nil {
					historytest.Fatal(t, e, "seed %d: %v", seed, err)
				}
				got, err := fast.Check(t.Context(), e)
				if err != nil || got.Verdict != want.Verdict || got.Prefix != want.Prefix || got.By != want.By {
					historytest.Fatal(t, e, "seed %d: %+v, %v; want %+v", seed, got, err, want)
				}
				if got.Engine == "monitor" {
					asked++
				}
				if got.Verdict == check.Violation {
					violations++
					if x, err := fast.Explain(t.Context(), e, got); err != nil || typ.Model.Linearizable(x.Execution) {
						historytest.Fatal(t, e, "seed %d: %+v, %v", seed, x, err)
					}
				}
			}
			if t.Logf("of %d, %d by the procedure, %d violations", n, asked, violations); asked < int(n)/2 && model != "set" || asked == 0 || violations == 0 {
				t.Error("one-sided")
			}
		})
	}
}

// again has an operation's argument be that of an earlier one.
func again(r *rand.Rand, e *history.Execution) {
	first := history.Value("")
	for _, k := range r.Perm(len(e.Ops)) {
		switch o := &e.Ops[k]; {
		case len(o.Args) == 0:
		case first == "":
			first = o.Args[0]
		default:
			o.Args = []history.Value{first}
			return
		}
	}
}
