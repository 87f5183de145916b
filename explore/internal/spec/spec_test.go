package spec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/ir"
	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestWrong checks that the comparison sees what a theory lacks: each axiom of the
// queue matters, but for one that follows from the others.
func TestWrong(t *testing.T) {
	whole := historytest.Theory(t, "theories/queue.theory.yaml")
	for i := range whole.Spec.Axioms {
		var names []string
		for k, a := range whole.Spec.Axioms {
			if k != i {
				names = append(names, a.Name)
			}
		}
		differs := false
		func() {
			defer func() { differs = recover() != nil }()
			c := &comparison{t: t, table: NewAnswers(), oracle: ofModel(historytest.Queue().Model), failed: func(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }}
			c.list = listOf(whole.Spec.Methods, 0, 4, map[string]int{"add": 0})
			c.spec, _ = Of(context.Background(), historytest.Only(whole, names), c.list, c.table)
			c.all(map[int32]bool{c.spec.Start(): true}, nil, 4)
		}()
		if name := whole.Spec.Axioms[i].Name; differs != (name != "empty") {
			t.Errorf("without %s: wrong %v", name, differs)
		}
	}
}

// TestMismatch checks what is said of operations that are not those of the specification.
func TestMismatch(t *testing.T) {
	th := historytest.Theory(t, "theories/queue.theory.yaml")
	sig := func(name string, args int, outcomes ...history.OutcomeSig) history.MethodSig {
		return history.MethodSig{Name: name, Args: args, Outcomes: outcomes}
	}
	none, value := history.OutcomeSig{Outcome: history.None}, history.OutcomeSig{Outcome: history.Some, Rets: 1}
	for _, c := range []struct {
		methods []history.MethodSig
		want    []string
	}{
		{[]history.MethodSig{sig("enqueue", 1, none), sig("dequeue", 0, value, history.OutcomeSig{Outcome: history.Nil})}, nil},
		{[]history.MethodSig{sig("remov", 0, value)}, []string{`remov: the theory queue has no method of that name; did you mean "remove"?`, "operations: remov() value", "theory queue: add(_) none, remove() value/nil"}},
		{[]history.MethodSig{sig("add", 2, none)}, []string{"add takes 2 arguments, the theory queue's add takes 1"}},
		{[]history.MethodSig{sig("add", 1, history.OutcomeSig{Outcome: history.True})}, []string{"add may answer true, the theory queue's add answers none"}},
		{[]history.MethodSig{sig("remove", 0, history.OutcomeSig{Outcome: history.Some, Rets: 2})}, []string{"remove with outcome value returns 2 values, the theory queue's remove returns 1"}},
		{[]history.MethodSig{sig("add", 1, none), sig("push", 1, none)}, []string{"push: the theory queue's add is already add"}},
	} {
		_, err := Of(context.Background(), th, listOf(c.methods, 1, 2, map[string]int{"add": 0, "enqueue": 0}), NewAnswers())
		if (err == nil) != (c.want == nil) || err != nil && !errors.As(err, new(*Mismatch)) {
			t.Errorf("%v: %v", c.methods, err)
		}
		for _, want := range c.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%v: no %q", err, want)
			}
		}
	}
}

// TestRefused checks the errors of specifications that cannot be explored against.
func TestRefused(t *testing.T) {
	of := func(path string, fresh map[string]int, values int) error {
		th := readTheory(t, path)
		list := listOf(th.Spec.Methods, values, 3, fresh)
		s, err := Of(context.Background(), th, list, NewAnswers())
		for call := int32(0); err == nil && int(call) < 2*len(list.Labels); call++ {
			var moves []Move
			if moves, err = s.Moves(s.Start(), call/2); len(moves) > 0 && err == nil {
				_, err = s.Moves(moves[0].Next, call/2)
			}
		}
		return err
	}
	for want, err := range map[string]error{
		"theory exchanger is about operations that overlap (width 2)":                                              of("theories/exchanger", nil, 2),
		"theory queue says nothing of add(1); add(1): it is about executions in which each value is added at most": of("theories/queue", nil, 2),
		`there is no built-in model "quue"; did you mean "queue"?`:                                                 func() error { _, err := Model("quue", &List{}, nil); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	only := &theory.Theory{Name: "x", Spec: theory.Spec{Width: 1, Model: &origin.Model{Package: "example.com/x"}}}
	if _, err := Fresh(only, nil, nil); err == nil || !strings.Contains(err.Error(), "an exploration") {
		t.Errorf("%v", err)
	}
	d := historytest.ByAutomata()[4] // which adds up
	list := listOf(d.Theory.Spec.Methods, 1, 2, nil)
	list.Labels[0].Args[0] = "a"
	if _, err := Of(context.Background(), d.Theory, list, NewAnswers()); err == nil || !strings.Contains(err.Error(), "no integer") {
		t.Errorf("%v", err)
	}
}

// TestMayFail checks that what may fail may do so in every state, and changes nothing.
func TestMayFail(t *testing.T) {
	methods := []history.MethodSig{
		{Name: "tryAcquire", Outcomes: []history.OutcomeSig{{Outcome: history.True}, {Outcome: history.False}}},
		{Name: "release", Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
	}
	a := NewAnswers()
	list := listOf(methods, 1, 3, nil)
	s, err := Of(context.Background(), readTheory(t, "examples/semaphore/semaphore"), list, a)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := s.Moves(s.Start(), 0)
	f, err := MayFail(s, list, a, []string{"TryAcquire=false"})
	if err != nil {
		t.Fatal(err)
	}
	want := append(slices.Clone(before), Move{a.Number(Answer{Outcome: history.False}), s.Start()})
	if moves, err := f.Moves(s.Start(), 0); err != nil || !slices.Equal(moves, want) {
		t.Errorf("%v, %v; want %v", moves, err, want)
	}
	plain, _ := s.Moves(s.Start(), 1)
	if moves, _ := f.Moves(s.Start(), 1); !slices.Equal(moves, plain) || f.Text(0) != s.Text(0) {
		t.Errorf("%v, not %v", moves, plain)
	}
	if _, err := MayFail(s, list, a, []string{"release=false"}); err == nil || !strings.Contains(err.Error(), "has no outcome") {
		t.Errorf("%v", err)
	}
	methods[0].Outcomes[1].Rets = 1
	if _, err := MayFail(s, list, a, []string{"tryAcquire=false"}); err == nil || !strings.Contains(err.Error(), "has values") {
		t.Errorf("%v", err)
	}
}

// allocator is a theory of fresh numbers, by patterns.
const allocator = `
apiVersion: adtinfer/v1alpha1
kind: Theory
metadata: {name: allocator}
spec:
  width: 1
  methods:
    - name: next
      args: 0
      outcomes: [{outcome: value, returns: 1}]
    - name: free
      args: 1
      outcomes: [{outcome: "true"}, {outcome: "false"}]
  matching: {mode: timeless, target: [], readonly: "false"}
  axioms:
    - name: once
      reading: no number is given twice
      formula: forall x:Op, y:Op. method(x) = next & method(y) = next & ret(x) = ret(y) -> x = y
    - name: given
      reading: a number is freed once, after it was given
      formula: forall x:Op. outcome(x) = true -> exists y:Op. method(y) = next & ret(y) = arg(x) & before(y, x)
    - name: kept
      reading: a number that was given can be freed
      formula: forall x:Op, y:Op. outcome(x) = false & method(y) = next & ret(y) = arg(x) -> before(x, y)
`

// TestMadeUp checks patterns of which calls may answer any value: one that is not known
// stands for all, until an implementation answers it.
func TestMadeUp(t *testing.T) {
	th, err := theory.Read(strings.NewReader(allocator), "allocator")
	if err != nil {
		t.Fatal(err)
	}
	a := NewAnswers()
	list := listOf(th.Spec.Methods, 2, 4, nil)
	s, err := Of(context.Background(), th, list, a)
	if err != nil {
		t.Fatal(err)
	}
	answers := func(state int32) (all []string) {
		moves, err := s.Moves(state, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range moves {
			all = append(all, string(a.Answer(m.Answer).Rets[0]))
		}
		slices.Sort(all)
		return all
	}
	seven := a.Number(Answer{history.Some, []history.Value{"7"}})
	l := s.(Learner)
	if l.Learn(seven) {
		t.Error("learned before a call could answer it")
	}
	if got := answers(s.Start()); !slices.Equal(got, []string{"1", "2", "?0"}) {
		t.Errorf("%v", got)
	}
	if !l.Learn(seven) || l.Learn(seven) {
		t.Error("learned wrongly")
	}
	if got := answers(s.Start()); !slices.Equal(got, []string{"1", "2", "7", "?0"}) {
		t.Errorf("%v", got)
	}
	moves, _ := s.Moves(s.Start(), 0)
	for _, m := range moves {
		if given := string(a.Answer(m.Answer).Rets[0]); slices.Contains(answers(m.Next), given) {
			t.Errorf("%s is given again", given)
		}
	}
}

// runner is a set of the numbers 0 to 7, as bits, as a Runner.
type runner struct {
	list *List
	fail error
}

func (*runner) Start() ([]byte, error)   { return []byte{0}, nil }
func (*runner) Text(state []byte) string { return fmt.Sprintf("%b", state[0]) }

func (r *runner) Run(state []byte, call int32) ([]Ran, error) {
	if r.fail != nil {
		err := r.fail
		r.fail = nil
		return nil, err
	}
	l := r.list.Labels[call]
	bit := byte(1) << (l.Args[0][0] - '0')
	next, text := state[0], fmt.Sprint(state[0]&bit != 0)
	switch l.Method {
	case "insert":
		next |= bit
	case "remove":
		next &^= bit
	case "wait":
		if state[0]&bit == 0 {
			return nil, nil
		}
	}
	return []Ran{{&machine.Result{Op: r.list.Calls[call].Op, Values: []string{string(l.Args[0]), text}}, []byte{next}}}, nil
}

// sequentialSet is the set as a Spec.
func sequentialSet(t *testing.T, a *Answers) (Spec, *runner, *List) {
	p := &ir.Program{Strings: ir.NewStrings()}
	for _, m := range []string{"insert", "remove", "contains", "wait"} {
		p.Ops = append(p.Ops, ir.Operation{Method: m, Params: []ir.Form{{Kind: ir.I64}}, Results: []ir.Form{{Kind: ir.I64}, {Kind: ir.Bool}}})
	}
	list, err := New(p, Options{Values: 2, Most: 6})
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{list: list}
	s, err := Sequential(r, list, list, a)
	if err != nil {
		t.Fatal(err)
	}
	return s, r, list
}

// TestSequential compares what is run with a function.
func TestSequential(t *testing.T) {
	c := &comparison{t: t, table: NewAnswers(), failed: t.Fatalf}
	c.spec, _, c.list = sequentialSet(t, c.table)
	set := ofModel(historytest.Set().Model)
	c.oracle = func(t *testing.T, after []history.Label, call *history.Label) []Answer {
		as := func(l history.Label) history.Label {
			if l.Method == "wait" {
				l.Method = "contains"
			}
			return l
		}
		own := as(*call)
		var before []history.Label
		for _, l := range after {
			before = append(before, as(l))
		}
		all := set(t, before, &own)
		if call.Method == "wait" && all[0].Outcome == history.Nil {
			return nil
		}
		return all
	}
	c.all(map[int32]bool{c.spec.Start(): true}, nil, 4)
	if text := c.spec.Text(c.spec.Start()); text != "0" {
		t.Errorf("%q", text)
	}
}

// TestAgain checks that a runner may start again.
func TestAgain(t *testing.T) {
	a := NewAnswers()
	s, r, _ := sequentialSet(t, a)
	before, err := s.Moves(s.Start(), 0)
	if err != nil {
		t.Fatal(err)
	}
	r.fail = machine.ErrAgain
	if _, err := s.Moves(before[0].Next, 0); !errors.Is(err, machine.ErrAgain) {
		t.Errorf("%v", err)
	}
	if _, err := s.Moves(before[0].Next, 0); !errors.Is(err, machine.ErrAgain) {
		t.Errorf("a state of before is still one: %v", err)
	}
	if after, err := s.Moves(s.Start(), 0); err != nil || !slices.Equal(before, after) {
		t.Errorf("%v, not %v; %v", after, before, err)
	}
	other := &List{Methods: []history.MethodSig{{Name: "insert", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}}}, Labels: []history.Label{{Kind: history.Kind{Method: "insert"}, Args: []history.Value{"x"}}}}
	if _, err := Sequential(r, r.list, other, a); err == nil || !strings.Contains(err.Error(), "no call insert(x)") {
		t.Errorf("%v", err)
	}
}

// TestKeep checks that what was saved numbers states and answers as before.
func TestKeep(t *testing.T) {
	th, err := theory.Read(strings.NewReader(allocator), "allocator")
	if err != nil {
		t.Fatal(err)
	}
	list := listOf(th.Spec.Methods, 2, 4, nil)
	makers := []func(a *Answers) Spec{
		func(a *Answers) Spec { s, _, _ := sequentialSet(t, a); return s },
		func(a *Answers) Spec { s, _ := Of(context.Background(), th, list, a); return s },
		func(a *Answers) Spec {
			s, err := MayFail(must(Of(context.Background(), th, list, a)), list, a, []string{"free=false"})
			return must(s, err)
		},
	}
	for i, makes := range makers {
		a := NewAnswers()
		s := makes(a).(Keeper)
		var states []int32
		walk := func(s Spec, a *Answers, seed uint64) {
			r := rand.New(rand.NewPCG(seed, 9))
			states = nil
			for range 30 {
				state := s.Start()
				for range 4 {
					moves, err := s.Moves(state, int32(r.IntN(3)))
					if err != nil {
						t.Fatal(err)
					}
					if len(moves) > 0 {
						m := moves[r.IntN(len(moves))]
						state = m.Next
						states = append(states, m.Answer, state)
					}
				}
			}
		}
		walk(s, a, 1)
		if l, ok := s.(Learner); ok {
			l.Learn(a.Number(Answer{history.Some, []history.Value{""}}))
		}
		walk(s, a, 2)
		var kept, answers bytes.Buffer
		if err := errors.Join(s.Save(&kept), a.Save(&answers)); err != nil {
			t.Fatal(err)
		}
		b := NewAnswers()
		again := makes(b).(Keeper)
		if err := errors.Join(b.Load(&answers), again.Load(bytes.NewReader(kept.Bytes()))); err != nil {
			t.Fatal(err)
		}
		walk(s, a, 3)
		want := states
		if walk(again, b, 3); !slices.Equal(states, want) {
			t.Errorf("%d: states have other numbers", i)
		}
		if i == 1 {
			if err := makers[0](NewAnswers()).(Keeper).Load(&kept); err == nil {
				t.Error("another specification loads what was kept")
			}
		}
	}
}

func must(s Spec, err error) Spec {
	if err != nil {
		panic(err)
	}
	return s
}

// TestMerged compares states that stand for many sequences with what a theory says of
// each sequence itself: theories with some of their axioms and patterns, which allow
// several answers, and may be no data type.
func TestMerged(t *testing.T) {
	paths := []string{"theories/queue", "theories/stack", "theories/bag", "theories/lock", "theories/register", "theories/semaphore", "theories/plainset",
		"theories/priorityqueue", "examples/worksteal/worksteal", "examples/lock/lock"}
	for seed := range testsize.Samples(150) {
		r := rand.New(rand.NewPCG(seed, 8))
		whole := historytest.Theory(t, paths[r.IntN(len(paths))]+".theory.yaml")
		var names []string
		for _, a := range whole.Spec.Axioms {
			if r.IntN(3) > 0 {
				names = append(names, a.Name)
			}
		}
		for _, p := range whole.Spec.Patterns {
			if r.IntN(4) > 0 {
				names = append(names, p.Name)
			}
		}
		th := historytest.Only(whole, names)
		if r.IntN(4) == 0 {
			th.Spec.Language = nil
		}
		fresh, err := Fresh(whole, nil, methodsOf(th))
		if err != nil {
			t.Fatal(err)
		}
		c := &comparison{t: t, table: NewAnswers(), open: true, list: listOf(th.Spec.Methods, 1+r.IntN(2), 2+r.IntN(3), fresh)}
		c.failed = func(format string, args ...any) {
			t.Fatalf("seed %d: %s with %v: %s", seed, th.Name, names, fmt.Sprintf(format, args...))
		}
		c.oracle = directly(th.Sequences(), th, valuesOf(c.list.Labels...))
		if c.spec, err = Of(context.Background(), th, c.list, c.table); err != nil {
			t.Fatal(err)
		}
		if _, err := c.spec.Moves(c.spec.Start(), int32(len(c.list.Labels)-1)); err != nil && strings.Contains(err.Error(), "compared by their size") {
			continue
		}
		for range 30 {
			c.random(r, c.list.Most)
		}
	}
}

// directly asks a theory about each answer.
func directly(q *theory.Sequences, th *theory.Theory, known []history.Value) oracle {
	return func(t *testing.T, after []history.Label, call *history.Label) (all []Answer) {
		for _, m := range th.Spec.Methods {
			for _, o := range m.Outcomes {
				if m.Name != call.Method || o.Rets > 1 {
					continue
				}
				rets := [][]history.Value{nil}
				if o.Rets == 1 {
					rets = nil
					for _, v := range append(slices.Clip(known), q.Named...) {
						rets = append(rets, []history.Value{v})
					}
				}
				for _, own := range rets {
					l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Args: call.Args, Rets: own}
					if admitted, _, err := q.Admits(t.Context(), append(slices.Clip(after), l)); err != nil {
						t.Fatal(err)
					} else if admitted {
						all = append(all, Answer{o.Outcome, own})
					}
				}
			}
		}
		return all
	}
}

// TestLimit checks that a theory is not asked for ever.
func TestLimit(t *testing.T) {
	th := historytest.Theory(t, "theories/queue.theory.yaml")
	list := listOf(th.Spec.Methods, 0, 4, map[string]int{"add": 0})
	s := sequencesOf(context.Background(), th, list, list.Labels)
	s.limit = len(s.said) + 5
	var err error
	for range 5 {
		_, err = s.ways(0, &list.Labels[0])
		s.words = map[string]reduction{}
		if err == nil {
			_, err = s.ways(1, &list.Labels[4])
		}
	}
	if err == nil || !strings.Contains(err.Error(), "sequences of up to 4 operations") {
		t.Errorf("%v", err)
	}
}

// TestEnded checks that there are no moves once the context ended.
func TestEnded(t *testing.T) {
	th := historytest.Theory(t, "theories/queue.theory.yaml")
	list := listOf(th.Spec.Methods, 0, 4, map[string]int{"add": 0})
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Of(ctx, th, list, NewAnswers())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Moves(s.Start(), 0); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.Moves(1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
