package theories_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// priorityQueue is a type that gives back the largest of random numbers first.
// Executions come with the numbers from 1 up, which stand for these: rename them.
func priorityQueue(r *rand.Rand, values int) (s historytest.Type, rename func(*history.Execution)) {
	s = historytest.PriorityQueue()
	s.Methods = s.Methods[:2] // no peeks
	size, back := map[history.Value]history.Value{}, map[history.Value]history.Value{}
	for i, n := range r.Perm(3 * values)[:values] {
		v := history.Value(strconv.Itoa(i + 1))
		size[v] = history.Value(strconv.Itoa(n*n - 50))
		back[size[v]] = v
	}
	through := func(m map[history.Value]history.Value, vs []history.Value) []history.Value {
		var out []history.Value
		for _, v := range vs {
			out = append(out, m[v])
		}
		return out
	}
	model := s.Model
	s.Model = func(state string, l *history.Label) (ways []historytest.Way) {
		sized := *l
		sized.Args, sized.Rets = through(size, l.Args), through(size, l.Rets)
		for _, w := range model(state, &sized) {
			w.Rets = through(back, w.Rets)
			ways = append(ways, w)
		}
		return ways
	}
	return s, func(e *history.Execution) {
		for i := range e.Ops {
			o := &e.Ops[i]
			o.Args, o.Rets = through(size, o.Args), through(size, o.Rets)
		}
	}
}

// TestPriorityQueueEngines: every engine takes the theory and decides as a search
// over an executable model does: complete ones find each violation, by its
// shortest prefix, and none calls a good execution one.
func TestPriorityQueueEngines(t *testing.T) {
	th := load(t, "priorityqueue")
	model := historytest.PriorityQueue().Model
	n := testsize.Samples(1500)
	for _, engine := range checktest.All() {
		t.Run(engine.Name(), func(t *testing.T) {
			t.Parallel()
			ready := checktest.Prepare(t, engine, th)
			counts, missed, pending := map[check.Verdict]int{}, 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 71))
				ops := 2 + r.IntN(6)
				s, rename := priorityQueue(r, max(5, ops))
				e := s.Execution(r, ops, 1+r.IntN(4), 4)
				rename(e)
				want := model.ShortestViolation(e)
				got, err := ready.Check(t.Context(), th, e)
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, historytest.Text(e))
				}
				counts[got.Verdict]++
				wrong := got.Verdict == check.Violation && (want == 0 || got.Prefix < want)
				switch {
				case want > 0 && (got.Verdict == check.NoViolationFound || got.Prefix > want):
					missed++
				case want > 0:
					wrong = wrong || got.Verdict != check.Violation
				default:
					wrong = wrong || got.Verdict != check.Linearizable && got.Verdict != check.NoViolationFound
				}
				if wrong {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, got, want, historytest.Text(e))
				}
				if want > 0 && hasPending(e.Prefix(want)) {
					pending++
				}
			}
			t.Logf("%v, %d missed or late, %d violations with pending operations", counts, missed, pending)
			complete := engine.Name() == "auto" || engine.Name() == "symbolic" || engine.Name() == "wgl" || engine.Name() == "enumerate" || engine.Name() == "monitor"
			if complete && (missed > 0 || min(counts[check.Violation], counts[check.Linearizable]) < int(n)/5 || pending < int(n)/30) {
				t.Errorf("%d missed or late; %v, %d with pending operations", missed, counts, pending)
			}
		})
	}
}

// TestPriorityQueueLong: long executions, right and wrong.
func TestPriorityQueueLong(t *testing.T) {
	th := load(t, "priorityqueue")
	r := rand.New(rand.NewPCG(5, 2))
	const n = 3000
	s, rename := priorityQueue(r, n)
	e := s.Execution(r, n, 4, 0)
	rename(e)
	for _, engine := range []checktest.Engine{checktest.By{Engine: "symbolic"}, checktest.By{Engine: "saturate"}, checktest.By{}} {
		res, err := engine.Check(t.Context(), th, e)
		if err != nil || res.Verdict == check.Violation || res.Verdict == check.Inconclusive {
			t.Errorf("%s: %+v (%v)", engine.Name(), res, err)
		}
	}
	exchangeRemoves(e)
	for _, engine := range []checktest.Engine{checktest.By{Engine: "symbolic"}, checktest.By{Engine: "saturate"}, checktest.By{}} {
		res, err := engine.Check(t.Context(), th, e)
		if err != nil || res.Verdict != check.Violation {
			t.Errorf("%s: %+v (%v)", engine.Name(), res, err)
		}
	}
}

// exchangeRemoves makes the last two removes that follow each other, and could both
// return either value, return the smaller one first.
func exchangeRemoves(e *history.Execution) {
	adds := map[history.Value]int{}
	var removes []int
	for i := range e.Ops {
		switch o := &e.Ops[i]; {
		case o.Method == "add":
			adds[o.Args[0]] = i
		case o.Outcome == history.Some:
			removes = append(removes, i)
		}
	}
	for k := len(removes) - 1; k > 0; k-- {
		i, j := removes[k-1], removes[k]
		a, b := &e.Ops[i], &e.Ops[j]
		if e.Before(i, j) && e.Before(adds[a.Rets[0]], i) && e.Before(adds[b.Rets[0]], i) {
			a.Rets, b.Rets = b.Rets, a.Rets
			return
		}
	}
}

// TestPriorityQueueNumbers: values are compared as numbers, and what is none is
// refused by name.
func TestPriorityQueueNumbers(t *testing.T) {
	th := load(t, "priorityqueue")
	engine := prepared(t, th)
	for _, c := range []struct {
		name string
		log  []string
		want check.Verdict
	}{
		{"largest first", []string{"[1] call add(9)", "[1] return", "[2] call add(10)", "[2] return", "[3] call remove", "[3] return 10"}, check.Linearizable},
		{"not by text", []string{"[1] call add(9)", "[1] return", "[2] call add(10)", "[2] return", "[3] call remove", "[3] return 9"}, check.Violation},
		{"negative", []string{"[1] call add(-10)", "[1] return", "[2] call add(-9)", "[2] return", "[3] call remove", "[3] return -10"}, check.Violation},
		{"beyond 64 bits", []string{"[1] call add(36893488147419103233)", "[1] return", "[2] call add(36893488147419103232)", "[2] return", "[3] call remove", "[3] return 36893488147419103233"}, check.Linearizable},
		{"a pending remove took the largest", []string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[3] call remove", "[4] call remove", "[4] return 1"}, check.Linearizable},
		{"a pending remove came too late", []string{"[1] call add(1)", "[1] return", "[2] call add(2)", "[2] return", "[4] call remove", "[4] return 1", "[3] call remove"}, check.Violation},
	} {
		r, ok := engine.check(t, historytest.Log(t, th, c.log...))
		if !ok || r.Verdict != c.want || c.want == check.Violation && strings.Join(r.Patterns, " ") != "max" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	for _, v := range []history.Value{"1.5", "007", "+5", "high"} {
		e := historytest.Log(t, th, "[1] call add(1)", "[1] return", "[2] call add("+string(v)+")", "[2] return")
		for _, engine := range checktest.All() {
			_, err := engine.Check(t.Context(), th, e)
			if label := (*check.UnknownLabel)(nil); !errors.As(err, &label) || label.Op.ID != "2" || !strings.Contains(err.Error(), strconv.Quote(string(v))+" is no integer") {
				t.Errorf("%s of %s: %v", engine.Name(), v, err)
			}
		}
	}
}

// TestPriorityQueueModel: the theory and the built-in model are compared with the
// order, and that of the smallest first, which differs in nothing else, is told
// apart.
func TestPriorityQueueModel(t *testing.T) {
	th := load(t, "priorityqueue")
	if _, err := wgl.ForTheory(t.Context(), th, "priority-queue"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"min-priority-queue", "bag"} {
		_, err := wgl.ForTheory(t.Context(), th, name)
		if mismatch := (*wgl.Mismatch)(nil); !errors.As(err, &mismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m, _ := wgl.Builtin("priority-queue"); wgl.Verify(t.Context(), load(t, "bag"), m) == nil {
		t.Error("a bag is no priority queue")
	}
}

// tickets hands out numbers, larger ones later.
const tickets = `
apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: tickets}
spec:
  width: 1
  methods:
    - {name: next, args: 0, outcomes: [{outcome: value, returns: 1}]}
    - {name: skip, args: 1, outcomes: [{outcome: none}]}
  matching: {mode: timeless, target: [], readonly: "false"}
  axioms:
    - {name: growing, reading: r, formula: "forall x:Op, y:Op. method(x) = next & method(y) = next & before(x, y) -> ret(x) < ret(y)"}
    - {name: skipped, reading: r, formula: "forall x:Op, y:Op. method(x) = skip & method(y) = next & before(x, y) -> arg(x) < ret(y)"}
    - {name: dense, reading: r, formula: "forall x:Op, z:Op. method(x) = skip & method(z) = next & before(x, z) -> exists y:Op. method(y) = next & before(x, y) & ret(y) < 6"}
    - {name: low, reading: r, formula: "forall z:Op. method(z) = next & ret(z) = 3 -> exists y:Op. method(y) = next & before(y, z) & ret(y) < 1"}
    - {name: high, reading: r, formula: "forall z:Op. method(z) = next & ret(z) = 5 -> exists y:Op. method(y) = next & before(z, y) & 7 < ret(y)"}
`

// TestTickets: where returned values are compared, pending operations may
// return any number, also such as lie between those of the log.
func TestTickets(t *testing.T) {
	th, err := theory.Read(strings.NewReader(tickets), "tickets.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ev := evaluate(th)
	var engines []engineOf
	for _, e := range []checktest.Engine{checktest.By{Engine: "symbolic"}, checktest.Oracle{}, checktest.By{}} {
		engines = append(engines, engineOf{checktest.Prepare(t, e, th), th})
	}
	got := counts{}
	for seed := range testsize.Samples(700) {
		r := rand.New(rand.NewPCG(seed, 72))
		e := ticketed(r, 2+r.IntN(3))
		want := someTickets(ev, e, 0)
		for _, engine := range engines {
			res, _ := engine.check(t, e)
			if got.add(res.Verdict == check.Linearizable, want); (res.Verdict == check.Linearizable) != want || !want && res.Verdict != check.Violation {
				t.Fatalf("seed %d, %s: %+v, want %v\n%s", seed, engine.Name(), res, want, historytest.Text(e))
			}
		}
	}
	t.Log(got)
	if min(got.admitted, got.histories-got.admitted) < got.histories/5 {
		t.Errorf("too one-sided a sample: %v", got)
	}
}

// ticketed makes an execution of n operations, some of them pending.
func ticketed(r *rand.Rand, n int) *history.Execution {
	e := &history.Execution{}
	var open []int
	for len(e.Ops) < n || len(open) > 0 && r.IntN(3) > 0 {
		number := history.Value(strconv.Itoa(1 + 2*r.IntN(4)))
		if len(e.Ops) < n && (len(open) == 0 || r.IntN(2) == 0) {
			o := history.Operation{ID: strconv.Itoa(len(e.Ops) + 1), Call: e.Events, Return: history.NoReturn}
			o.Method = "next"
			if r.IntN(4) == 0 {
				o.Method, o.Args = "skip", []history.Value{number}
			}
			open = append(open, len(e.Ops))
			e.Ops = append(e.Ops, o)
		} else {
			k := r.IntN(len(open))
			o := &e.Ops[open[k]]
			if o.Return, o.Outcome = e.Events, history.None; o.Method == "next" {
				o.Outcome, o.Rets = history.Some, []history.Value{number}
			}
			open = append(open[:k], open[k+1:]...)
		}
		e.Events++
	}
	return e
}

// someTickets tries all numbers from -3 to 12 for pending operations from i on, or
// leaves them out, and all orders.
func someTickets(ev *evaluator, e *history.Execution, i int) bool {
	if i == len(e.Ops) {
		return someOrder(ev, e, make([]bool, len(e.Ops)), nil)
	}
	if e.Ops[i].Completed() {
		return someTickets(ev, e, i+1)
	}
	pending := e.Ops[i]
	defer func() { e.Ops[i] = pending }()
	e.Ops[i].Method = "" // left out
	if someTickets(ev, e, i+1) {
		return true
	}
	e.Ops[i] = pending
	if e.Ops[i].Outcome = history.None; pending.Method == "skip" {
		return someTickets(ev, e, i+1)
	}
	for n := -3; n <= 12; n++ {
		e.Ops[i].Outcome, e.Ops[i].Rets = history.Some, []history.Value{history.Value(strconv.Itoa(n))}
		if someTickets(ev, e, i+1) {
			return true
		}
	}
	return false
}

func someOrder(ev *evaluator, e *history.Execution, taken []bool, labels []history.Label) bool {
	rest := false
	for i := range e.Ops {
		if taken[i] || e.Ops[i].Method == "" {
			continue
		}
		rest = true
		first := true
		for j := range e.Ops {
			first = first && (taken[j] || e.Ops[j].Method == "" || !e.Before(j, i))
		}
		if first {
			taken[i] = true
			if someOrder(ev, e, taken, append(labels, e.Ops[i].Label)) {
				taken[i] = false
				return true
			}
			taken[i] = false
		}
	}
	return !rest && holds(ev.of(labels), ev.axioms)
}

// variant is the theory with other words in its text.
func variant(t *testing.T, words ...string) *theory.Theory {
	t.Helper()
	text, err := os.ReadFile("priorityqueue.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(words); i += 2 {
		if !strings.Contains(string(text), words[i]) {
			t.Fatalf("no %q", words[i])
		}
	}
	th, err := theory.Read(strings.NewReader(strings.NewReplacer(words...).Replace(string(text))), "variant.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// peeked is a method that answers the largest value and leaves it.
const peeked = `    - name: peek
      args: 0
      outcomes: [{outcome: value, returns: 1}, {outcome: nil}]
  language:
`

const peekAxioms = `    - {name: seen, formula: "forall p:Op. method(p) = peek & outcome(p) = value -> exists a:Op. match(p) = a & before(a, p)"}
    - {name: seen-before, formula: "forall r:Op, p:Op. method(p) = peek & method(r) = remove & match(p) = match(r) -> !before(r, p)"}
    - name: addrem
`

// withPeeks is the theory with a method that answers the largest value and leaves it.
func withPeeks(t *testing.T) *theory.Theory {
	t.Helper()
	return variant(t, "  language:\n", peeked, "readonly: outcome(x) = nil", "readonly: outcome(x) = nil | method(x) = peek", "    - name: addrem\n", peekAxioms,
		"method(e) = remove & outcome(e) = nil", "outcome(e) = nil", "method(r1) = remove & match(r1)", "method(r1) != add & match(r1)")
}

// TestPriorityQueuePeeks compares engines on the theory with peeks with the model.
func TestPriorityQueuePeeks(t *testing.T) {
	th := withPeeks(t)
	model := historytest.PriorityQueue().Model
	n := testsize.Samples(400)
	for _, engine := range []checktest.Engine{checktest.By{Engine: "monitor"}, checktest.By{}, checktest.By{Engine: "symbolic"}, checktest.By{Engine: "saturate"}} {
		engine := ready(t, engine, th)
		counts, decided := map[check.Verdict]int{}, 0
		for seed := range n {
			r := rand.New(rand.NewPCG(seed, 74))
			s, rename := priorityQueue(r, 8)
			s.Methods = historytest.PriorityQueue().Methods
			e := s.Execution(r, 2+r.IntN(6), 1+r.IntN(4), 5)
			rename(e)
			got, err := engine.Check(t.Context(), th, e)
			if errors.As(err, new(*monitor.OutsideClass)) {
				continue
			}
			want := model.ShortestViolation(e)
			if err != nil || got.Verdict == check.Violation && (got.Prefix < want || want == 0 || got.Prefix > want && got.Detail == "") || want > 0 && got.Verdict != check.Violation {
				t.Fatalf("seed %d, %s: %+v (%v), the model says %d\n%s", seed, engine.Name(), got, err, want, historytest.Text(e))
			}
			counts[got.Verdict]++
			decided++
		}
		t.Logf("%s: %v of %d", engine.Name(), counts, n)
		if counts[check.Violation] < int(n)/8 || decided < int(n)*3/4 {
			t.Errorf("%s: too one-sided a sample: %v", engine.Name(), counts)
		}
	}
}

// TestPriorityQueueRecognized: the procedure for priority queues is chosen by what
// the axioms say, however they are written.
func TestPriorityQueueRecognized(t *testing.T) {
	for _, c := range []struct {
		name  string
		th    *theory.Theory
		wants string // in Why, or in the error
	}{
		{"as it is", variant(t), "are those of a priority queue: the value of the largest priority leaves first"},
		{"smallest first", variant(t, "arg(a1) < arg(a2)", "arg(a2) < arg(a1)"), "the smallest priority leaves first"},
		{"other names", variant(t, "name: add", "name: send", "method(x) = add", "method(x) = send", "method(y) = add", "method(y) = send",
			"method(a) = add", "method(a) = send", "method(a2) = add", "method(a2) = send", "name: remove", "name: receive", "= remove", "= receive"), "are those of a priority queue"},
		{"other words", variant(t, "method(a2) = add & method(r1) = remove & match(r1) = a1 & arg(a1) < arg(a2) & before(a2, r1)",
			"a1 != a2 & match(r1) = a1 & !(arg(a2) < arg(a1)) & before(a2, r1) & outcome(r1) = value & match(a2) = a2 & outcome(a2) = none"), "are those of a priority queue"},
		{"with peeks", withPeeks(t), "are those of a priority queue"},
		{"peeks may see any", variant(t, "  language:\n", peeked, "readonly: outcome(x) = nil", "readonly: outcome(x) = nil | method(x) = peek", "    - name: addrem\n", peekAxioms), "not those of a priority queue"},
		{"nothing about empty", variant(t, "method(e) = remove & outcome(e) = nil &", "false &"), "not those of a priority queue"},
		{"no order", variant(t, "arg(a1) < arg(a2)", "a1 != a2"), "are those of a container"},
		{"one more rule", variant(t, "  matching:\n", "    - {name: more, formula: \"forall x:Op, y:Op. method(x) = remove & outcome(x) = value & method(y) = remove & outcome(y) = value & ret(x) = ret(y) -> x = y\"}\n  matching:\n"), "cannot be turned into clauses"},
		{"one more axiom", variant(t, "    - name: addrem\n", "    - {name: more, formula: \"forall x:Op, y:Op. method(x) = add & method(y) = add & before(x, y) -> arg(x) < arg(y)\"}\n    - name: addrem\n"), "not those of a priority queue"},
		{"a bound", variant(t, "    - name: addrem\n", "    - {name: more, formula: \"forall x:Op. !(arg(x) < 0)\"}\n    - name: addrem\n"), "cannot be turned into clauses"},
	} {
		m, err := checktest.Procedure(t.Context(), c.th)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = m.Why()
		}
		if !strings.Contains(got, c.wants) || (err == nil) != strings.Contains(got, "are those of a ") {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
