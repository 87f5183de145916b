package wgl_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type queue struct{ vs []int }

func (q *queue) Add(v int) { q.vs = append(q.vs, v) }
func (q *queue) Remove() (v int, ok bool) {
	if len(q.vs) > 0 {
		v, ok, q.vs = q.vs[0], true, q.vs[1:]
	}
	return v, ok
}

func (q *queue) Wait() { panic(reference.Blocked) }
func (q *queue) Fail() {}

func implementation(t testing.TB, s reference.Spec) reference.Implementation {
	t.Helper()
	impl, err := reference.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	return impl
}

func made(t testing.TB, impl reference.Implementation) *wgl.Reference {
	t.Helper()
	r, err := wgl.NewReference(impl)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sequence reads "add 1; remove => 1; wait*" as operations one after the other.
func sequence(text string) *history.Execution {
	var labels []history.Label
	for _, op := range strings.Split(text, "; ") {
		call, answer, _ := strings.Cut(strings.TrimSuffix(op, "*"), " => ")
		words := strings.Fields(call)
		l := history.Label{Kind: history.Kind{Method: words[0], Outcome: history.None}}
		for _, w := range words[1:] {
			l.Args = append(l.Args, history.Value(w))
		}
		switch answer {
		case "":
		case "nil":
			l.Outcome = history.Nil
		default:
			l.Outcome, l.Rets = history.Some, []history.Value{history.Value(answer)}
		}
		labels = append(labels, l)
	}
	e := history.Sequential(labels...)
	if last := &e.Ops[len(e.Ops)-1]; strings.HasSuffix(text, "*") {
		last.Outcome, last.Rets, last.Return = history.Pending, nil, history.NoReturn
		e.Events--
	}
	return e
}

func check(t testing.TB, r *wgl.Reference, e *history.Execution) (wgl.Result, *wgl.OfReference, error) {
	t.Helper()
	m, err := r.Model(t.Context(), e)
	if err != nil {
		return wgl.Result{}, nil, err
	}
	t.Cleanup(m.Close)
	res, err := wgl.Check(t.Context(), m.Searched(), e, wgl.Options{})
	return res, m, err
}

// TestSequences: verdict, order, answers of pending calls and the state after all.
func TestSequences(t *testing.T) {
	r := made(t, implementation(t, reference.Spec{New: func() *queue { return &queue{} }}))
	for _, tt := range []struct {
		log    string
		prefix int
		state  string // after the linearization
	}{
		{"add 1; add 2; remove => 1", 0, "queue{vs:[2]}"},
		{"add 1; add 2; remove => 2", 6, "queue{vs:[1 2]}"},
		{"add 1; remove*", 0, "queue{vs:[1]}"},
		{"add 7.0; add 0x10; remove => 7; add 3; remove => 15", 10, "queue{vs:[16 3]}"},
		{"remove => nil; wait", 4, "queue{}"},
		{"add 1; wait*", 0, "queue{vs:[1]}"},
	} {
		e := sequence(tt.log)
		res, m, err := check(t, r, e)
		if err != nil || res.Prefix != tt.prefix {
			t.Errorf("%s: %+v, %v", tt.log, res, err)
			continue
		}
		if res.Prefix > 0 {
			e = e.Prefix(res.Prefix - 1)
		}
		ops, end, err := wgl.Complete(m, e, res.Order)
		if err != nil || len(ops) != len(res.Order) {
			t.Errorf("%s: %v, %v", tt.log, ops, err)
			continue
		}
		text, err := m.Text(end)
		if err != nil || strings.ReplaceAll(text, "vs:[]", "") != tt.state {
			t.Errorf("%s: %q, %v, want %q", tt.log, text, err, tt.state)
		}
	}
	if k, err := r.Kept(t.Context()); err != nil || !k.Copied {
		t.Errorf("%+v, %v", k, err)
	}
}

// TestPending: what a call that did not return answers in a linearization.
func TestPending(t *testing.T) {
	r := made(t, implementation(t, reference.Spec{New: func() *queue { return &queue{} }}))
	e := sequence("add 1; add 2; remove => 2") // and a call of remove all the while
	for i := range e.Ops {
		e.Ops[i].Call++
		e.Ops[i].Return++
	}
	e.Events++
	e.Ops = slices.Insert(e.Ops, 0, history.Operation{ID: "p", Return: history.NoReturn, Label: history.Label{Kind: history.Kind{Method: "remove"}}})
	res, m, err := check(t, r, e)
	if err != nil || !res.Linearizable {
		t.Fatalf("%+v, %v", res, err)
	}
	ops, _, err := wgl.Complete(m, e, res.Order)
	i := slices.IndexFunc(ops, func(o history.Operation) bool { return o.ID == "p" })
	if err != nil || i < 0 || fmt.Sprint(ops[i].Label) != "remove => 1" {
		t.Errorf("%v, %v", ops, err)
	}
	if _, _, err := wgl.Complete(m, e, []int32{3, 1}); err == nil {
		t.Error("remove => 2 comes first")
	}
}

type heap struct{ queue }

func (h *heap) Remove() (v int, ok bool) {
	slices.Sort(h.vs)
	return h.queue.Remove()
}

// TestNames: there is no verdict where a log has names for integers, whether it matters
// or not which.
func TestNames(t *testing.T) {
	r := made(t, implementation(t, reference.Spec{New: func() *heap { return &heap{} }}))
	for log, want := range map[string]string{
		"add 2; add 1; remove => 1": "",
		"add bob; remove => bob":    `the log has "bob" where add takes int`,
		"add 1; remove => bob":      `the log has "bob" where remove answers with int`,
	} {
		_, _, err := check(t, r, sequence(log))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", log, err)
		}
	}
}

// hanging opens a Space in which fail does not return in the first state.
type hanging struct{ reference.Implementation }

func (h hanging) States(ctx context.Context) (states.Space, error) {
	s, err := h.Implementation.(states.Keeper).States(ctx)
	return &hangs{s}, err
}

type hangs struct{ states.Space }

func (s *hangs) Step(ctx context.Context, state, call int32, ahead func() []states.Ahead) (int32, int32, error) {
	if fail, _ := s.Call(&history.Label{Kind: history.Kind{Method: "fail"}}); state == s.Start() && call == fail {
		return 0, 0, &reference.Fault{Reason: "does not return", Sequence: "Fail()"}
	}
	return s.Space.Step(ctx, state, call, ahead)
}

// TestFaults: what a reference does wrong in a state that does not matter is no error.
func TestFaults(t *testing.T) {
	r := made(t, hanging{implementation(t, reference.Spec{New: func() *queue { return &queue{} }})})
	var fault *reference.Fault
	if _, _, err := check(t, r, sequence("fail")); !errors.As(err, &fault) {
		t.Errorf("got %v", err)
	}
	e := sequence("fail; add 1")
	e.Ops[0].Call, e.Ops[0].Return, e.Ops[1].Call, e.Ops[1].Return = 0, 2, 1, 3 // at the same time
	if res, m, err := check(t, r, e); err != nil || !res.Linearizable || !errors.As(m.Err(), &fault) || m.Spoiled() {
		t.Errorf("%+v, %v", res, err)
	}
}

// bag gives back any of its elements.
type bag map[int]int

func acceptor() reference.Spec {
	return reference.Spec{
		New: func() bag { return bag{} },
		Operations: []reference.Operation{{Name: "add", Func: (func(int))(nil)}, {Name: "remove", Func: (func() (int, bool))(nil)},
			{Name: "peek", Func: (func() (int, bool))(nil)}},
		Accept: func(b bag, c reference.Claim) bool {
			switch {
			case c.Method == "add":
				b[c.Args[0].(int)]++
			case c.Outcome == "nil":
				return len(b) == 0
			case b[c.Rets[0].(int)] == 0:
				return false
			case c.Method == "remove":
				v := c.Rets[0].(int)
				if b[v]--; b[v] == 0 {
					delete(b, v)
				}
			}
			return true
		},
	}
}

// TestAcceptorAgainstBruteForce: with the log's values as answers of pending calls an
// acceptor says what a search says that tries everything.
func TestAcceptorAgainstBruteForce(t *testing.T) {
	typ := historytest.Bag().Reusing(3)
	r := made(t, implementation(t, acceptor()))
	for seed := range testsize.Samples(600) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		e := typ.Execution(rnd, 2+rnd.IntN(7), 1+rnd.IntN(3), 4)
		res, m, err := check(t, r, e)
		if want := typ.Model.ShortestViolation(e); err != nil || res.Prefix != want {
			t.Fatalf("seed %d: %+v, %v, want %d\n%s", seed, res, err, want, historytest.Text(e))
		}
		if !res.Linearizable {
			continue
		}
		ops, _, err := wgl.Complete(m, e, res.Order)
		var labels []history.Label
		for _, o := range ops {
			labels = append(labels, o.Label)
		}
		if err != nil || !typ.Model.AdmitsAll(labels) {
			t.Fatalf("seed %d: %v, %v\n%s", seed, labels, err, historytest.Text(e))
		}
	}
	e := sequence("add 1; remove*")
	m, err := r.Model(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Open(&e.Ops[0].Label) || !m.Open(&e.Ops[1].Label) {
		t.Error("the answers of remove can be listed, or those of add cannot")
	}
}

// TestPlain: what pending calls of a built-in model answer is found by trying.
func TestPlain(t *testing.T) {
	typ := historytest.Bag()
	b, err := wgl.Builtin("bag")
	if err != nil {
		t.Fatal(err)
	}
	s, err := history.NewSignature(wgl.Methods("bag")...)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range testsize.Samples(600) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		e := typ.Execution(rnd, 2+rnd.IntN(7), 1+rnd.IntN(3), 0)
		res, err := wgl.Check(t.Context(), b, e, wgl.Options{})
		if err != nil || !res.Linearizable {
			continue
		}
		ops, _, err := wgl.Complete(wgl.Plain(b, s, e), e, res.Order)
		var labels []history.Label
		for _, o := range ops {
			labels = append(labels, o.Label)
		}
		if err != nil || !typ.Model.AdmitsAll(labels) {
			t.Fatalf("seed %d: %v, %v\n%s", seed, labels, err, historytest.Text(e))
		}
	}
}

// keeper opens a Space that has room for some steps only.
type keeper struct {
	reference.Implementation
	room   int
	opened int
	err    error
}

func (k *keeper) States(ctx context.Context) (states.Space, error) {
	if k.err != nil {
		return nil, k.err
	}
	k.opened++
	s, err := k.Implementation.(states.Keeper).States(ctx)
	return &small{s, k.room}, err
}

type small struct {
	states.Space
	room int
}

func (s *small) Step(ctx context.Context, state, call int32, ahead func() []states.Ahead) (int32, int32, error) {
	if s.room == 0 {
		return 0, 0, states.ErrMemory
	}
	s.room--
	return s.Space.Step(ctx, state, call, ahead)
}

// TestSpaces: a Space that is full is replaced for the next log, and one that others
// have filled may be asked again.
func TestSpaces(t *testing.T) {
	k := &keeper{Implementation: implementation(t, reference.Spec{New: func() *queue { return &queue{} }}), room: 3}
	r := made(t, k)
	long, short := sequence("add 1; add 2; add 3; add 4; remove => 9"), sequence("add 1; remove => 1")
	one, err := r.Model(t.Context(), short)
	if err != nil {
		t.Fatal(err)
	}
	two, err := r.Model(t.Context(), long)
	if err != nil || k.opened != 1 {
		t.Fatal(err, k.opened)
	}
	if _, err := wgl.Check(t.Context(), two.Searched(), long, wgl.Options{}); !errors.Is(err, states.ErrMemory) || !two.Spoiled() {
		t.Errorf("got %v", err)
	}
	two.Close()
	if _, err := wgl.Check(t.Context(), one.Searched(), short, wgl.Options{}); !errors.Is(err, states.ErrMemory) || !one.Spoiled() {
		t.Errorf("got %v", err)
	}
	one.Close()
	if res, _, err := check(t, r, short); err != nil || !res.Linearizable || k.opened != 2 {
		t.Errorf("%+v, %v, opened %d times", res, err, k.opened)
	}
	k.err = errors.New("no more")
	if _, err := made(t, k).Model(t.Context(), short); err != k.err {
		t.Errorf("got %v", err)
	}
	if _, err := wgl.NewReference(unkept{k.Implementation}); err == nil {
		t.Error("states that cannot be kept are kept")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := made(t, &keeper{Implementation: k.Implementation, err: context.Canceled}).Kept(ctx); err == nil {
		t.Error("there is time without end")
	}
}

type unkept struct{ reference.Implementation }
