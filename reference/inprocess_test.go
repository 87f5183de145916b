package reference_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// queue is the plain example: unbounded, first in, first out.
type queue struct{ vs []int }

func newQueue() *queue { return &queue{} }

func (q *queue) Add(v int) { q.vs = append(q.vs, v) }

func (q *queue) Remove() (int, bool) {
	if len(q.vs) == 0 {
		return 0, false
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, true
}

func (q *queue) Len() int { return len(q.vs) }

// call finds a method by its name.
func call(t testing.TB, impl reference.Implementation, name string, args ...int) reference.Call {
	t.Helper()
	for i, m := range impl.Methods() {
		if m.Name == name {
			return reference.Call{Method: i, Args: args}
		}
	}
	t.Fatalf("there is no method %s", name)
	return reference.Call{}
}

// must is for constructors that may not fail in a test.
func must(t testing.TB) func(impl reference.Implementation, err error) reference.Implementation {
	return func(impl reference.Implementation, err error) reference.Implementation {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return impl
	}
}

// show replays one sequence and draws the answers.
func show(t *testing.T, impl reference.Implementation, calls ...reference.Call) []string {
	t.Helper()
	got, err := impl.Replay(context.Background(), [][]reference.Call{calls})
	if err != nil {
		t.Fatal(err)
	}
	return draw(got[0])
}

func draw(answers []reference.Answer) (words []string) {
	for _, a := range answers {
		w := string(a.Outcome)
		if a.Blocked {
			w = "blocked"
		}
		for _, v := range a.Rets {
			w += " " + string(v)
		}
		words = append(words, w)
	}
	return words
}

func TestQueue(t *testing.T) {
	q := must(t)(reference.New(reference.Spec{Name: "fifo", New: newQueue}))
	if q.Name() != "fifo" {
		t.Errorf("name %q", q.Name())
	}
	number := []values.Basic{{Kind: values.KindInt, Bits: strconv.IntSize}}
	want := []reference.Method{
		{Name: "add", GoName: "Add", Args: []string{"int"}, Params: number, ArgDomain: []int{0},
			Outcomes: []reference.OutcomeArity{{OutcomeSig: history.OutcomeSig{Outcome: history.None}}}},
		{Name: "remove", GoName: "Remove", Rets: []string{"int"}, Results: number,
			Outcomes: []reference.OutcomeArity{{OutcomeSig: history.OutcomeSig{Outcome: history.Some, Rets: 1}}, {OutcomeSig: history.OutcomeSig{Outcome: history.Nil}}}},
		{Name: "len", GoName: "Len", Rets: []string{"int"}, Results: number,
			Outcomes: []reference.OutcomeArity{{OutcomeSig: history.OutcomeSig{Outcome: history.Some, Rets: 1}}}},
	}
	if d := cmp.Diff(want, q.Methods()); d != "" {
		t.Error(d)
	}
	add, remove, size := call(t, q, "add", 0).Method, call(t, q, "remove"), call(t, q, "len")
	got := show(t, q, remove, reference.Call{Method: add, Args: []int{7}}, size,
		reference.Call{Method: add, Args: []int{1}}, remove, remove, remove)
	if d := cmp.Diff([]string{"nil", "none", "value (1)", "none", "value 7", "value 1", "nil"}, got); d != "" {
		t.Error(d)
	}
}

// shapes has a method for every supported signature.
type shapes[T any] struct {
	last T
	n    int
}

type key string

func (s *shapes[T]) Put(k key, v T) (T, error) {
	old := s.last
	s.last = v
	if s.n++; s.n == 1 {
		return old, errors.New("was empty")
	}
	return old, nil
}
func (s *shapes[T]) Get() *T {
	if s.n == 0 {
		return nil
	}
	return &s.last
}
func (s *shapes[T]) Try(context.Context) (bool, error) {
	if s.n > 1 {
		return false, errors.New("too many")
	}
	return s.n == 1, nil
}
func (s *shapes[T]) Check() error {
	if s.n == 0 {
		return errors.New("empty")
	}
	return nil
}
func (s *shapes[T]) Pair(k key) (T, key)                       { return s.last, k }
func (s *shapes[T]) Any() any                                  { return map[bool]any{true: s.last}[s.n > 0] }
func (s *shapes[T]) Echo(b bool, u uint8) (uint8, bool, error) { return u, b, nil }
func (s *shapes[T]) HTTPGet(v any) any                         { return v }
func (s *shapes[T]) ID() string                                { return "it" }
func (s *shapes[T]) Wide(v int8) int64                         { return int64(v) }
func (s *shapes[T]) String() string                            { return "" }
func (s *shapes[T]) PushAll(vs ...T)                           {}
func (s *shapes[T]) Slice(vs []T)                              {}
func (s *shapes[T]) Each(f func(T))                            {}
func (s *shapes[T]) Float() float64                            { return 0 }
func (s *shapes[T]) Nodes() *struct{ next *int }               { return nil }
func (s *shapes[T]) Later(n int, ctx context.Context)          {}

func TestShapes(t *testing.T) {
	s := must(t)(reference.Of(func() (*shapes[int], error) { return new(shapes[int]), nil }))
	c := func(name string, args ...int) reference.Call { return call(t, s, name, args...) }
	got := show(t, s, c("get"), c("check"), c("any"), c("try"), c("put", 1, 2), c("check"), c("get"), c("any"), c("try"),
		c("put", 3, 4), c("try"), c("pair", 5), c("echo", 1, 6), c("echo", 2, 6), c("httpGet", 8), c("id"), c("wide", 9))
	want := []string{"nil", "errEmpty", "nil", "false", "errWasEmpty", "none", "value 2", "value 2", "true",
		"value 2", "errTooMany", "value 4 5", "value 6", "nil 6", "value 8", `value ("it")`, "value 9"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	notes := []string{
		"method String is skipped: it describes the object",
		"method PushAll takes any number of int, which are one argument here: a list",
		"method Each is skipped: parameter 1 is a function (func(int)), which a log cannot name",
		"method Later is skipped: parameter 2 is a context.Context, which has to be the first",
	}
	if d := cmp.Diff(notes, reference.Notes(s)); d != "" {
		t.Error(d)
	}
	for _, m := range s.Methods() {
		if m.Name == "echo" {
			if d := cmp.Diff([]int{2, 235}, m.ArgDomain); d != "" {
				t.Error(d)
			}
		}
	}
	_, err := s.Replay(context.Background(), [][]reference.Call{{c("echo", 3, 1)}})
	if err == nil || err.Error() != "reference: argument 1 of echo has no value 3 (bool)" {
		t.Error(err)
	}
}

// guarded embeds its mutex, whose methods are not operations; value has its
// methods on the pointer although the constructor returns no pointer.
type guarded struct {
	sync.Mutex
	n int
}

func (g *guarded) Set(n int) { g.Lock(); defer g.Unlock(); g.n = n }
func (g *guarded) Get() int  { g.Lock(); defer g.Unlock(); return g.n }

func TestObjectsByValueAndEmbeddedMutex(t *testing.T) {
	g := must(t)(reference.Of(func() struct{ guarded } { return struct{ guarded }{} }))
	_ = g
	v := must(t)(reference.Of(func() *guarded { return &guarded{} }))
	if n := len(v.Methods()); n != 2 {
		t.Errorf("%d methods: %v", n, v.Methods())
	}
	if d := cmp.Diff([]string{"none", "value 1"}, show(t, v, call(t, v, "set", 1), call(t, v, "get"))); d != "" {
		t.Error(d)
	}
	byValue := must(t)(reference.Of(func() queue { return queue{} }))
	if d := cmp.Diff([]string{"none", "value 1"}, show(t, byValue, call(t, byValue, "add", 1), call(t, byValue, "remove"))); d != "" {
		t.Error(d)
	}
	type adder interface {
		Add(int)
		Remove() (int, bool)
	}
	iface := must(t)(reference.Of(func() adder { return &queue{} }))
	if n := len(iface.Methods()); n != 2 {
		t.Errorf("an interface's methods are the operations, not %v", iface.Methods())
	}
	if d := cmp.Diff([]string{"none", "value 1"}, show(t, iface, call(t, iface, "add", 1), call(t, iface, "remove"))); d != "" {
		t.Error(d)
	}
}

var calls int // for the reference that answers differently

// TestFaults has a reference for everything that can go wrong and be caught in
// this process.
func TestFaults(t *testing.T) {
	calls = 0
	var over atomic.Bool // then the loop ends
	op := func(f any) reference.Spec {
		return reference.Spec{Name: "bad", New: newQueue, Operations: []reference.Operation{
			{Func: (*queue).Add}, {Func: (*queue).Remove}, {Name: "bad", Func: f}}}
	}
	cases := []struct {
		name string
		spec reference.Spec
		want reference.Fault
	}{
		{"end of the goroutine", op(func(q *queue) { runtime.Goexit() }),
			reference.Fault{Reason: driver.Panics, Sequence: "Add(1); Add(2); bad()", At: 2, Detail: "runtime.Goexit was called"}},
		{"a function of another type", op(func(q *queue) { reflect.ValueOf(func(int) {}).Call([]reflect.Value{reflect.ValueOf("x")}) }),
			reference.Fault{Reason: driver.Panics, Sequence: "Add(1); Add(2); bad()", At: 2, Detail: "reflect: Call using string as type int"}},
		{"loop", op(func(q *queue) {
			for len(q.vs) == 2 && !over.Load() {
			}
		}),
			reference.Fault{Reason: driver.Hangs, Sequence: "Add(1); Add(2); bad()", At: 2, Detail: "no answer after 500ms"}},
		{"deadlock", op(func(q *queue) { <-make(chan int) }),
			reference.Fault{Reason: driver.Hangs, Sequence: "Add(1); Add(2); bad()", At: 2, Detail: "no answer after 500ms"}},
		{"differs", op(func(q *queue) int { calls++; return calls * 0x10000 }),
			reference.Fault{Reason: driver.Differs, Sequence: "Add(1); Add(2); bad()", At: 2,
				Detail: "first value "}},
		{"constructor error", reference.Spec{New: func() (*queue, error) { return nil, errors.New("no") }},
			reference.Fault{Reason: driver.NewFails, Sequence: "New()", At: -1, Detail: "no"}},
		{"constructor panic", reference.Spec{New: func() *queue { panic("no") }},
			reference.Fault{Reason: driver.Panics, Sequence: "New()", At: -1, Detail: "no"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			timeout := time.Minute
			if c.want.Reason == driver.Hangs {
				timeout = 500 * time.Millisecond
			}
			c.spec.Timeout = timeout
			impl := must(t)(reference.New(c.spec))
			last := len(impl.Methods()) - 1
			add := call(t, impl, "add", 1)
			good := []reference.Call{add, add}
			bad := []reference.Call{add, {Method: add.Method, Args: []int{2}}, {Method: last}, add}
			over.Store(false)
			_, err := impl.Replay(context.Background(), [][]reference.Call{good, bad, good})
			over.Store(true)
			var f *reference.Fault
			if !errors.As(err, &f) {
				t.Fatalf("no fault: %v", err)
			}
			got := *f
			if n := len(c.want.Detail); len(got.Detail) > n && (got.Reason == driver.Panics || got.Reason == driver.Differs) {
				got.Detail = got.Detail[:n] // the file and line follow
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// door panics when it is opened and open, and when it is closed and closed.
type door struct {
	open   bool
	panics int
}

func (d *door) Open() bool {
	if d.open {
		d.panics++
		panic("already open")
	}
	d.open = true
	return true
}

func (d *door) Close(by int) (int, error) {
	if !d.open {
		d.panics++
		panic(errors.New("not open"))
	}
	d.open = false
	return by, nil
}

func (d *door) Panics() string { return strconv.Itoa(d.panics) }
func (d *door) Value() int     { return []int{1, 2, 3}[d.panics] }

// TestPanics: a panic is an answer, and the object goes on, as a model of it does
// on random sequences. The first runtime error is noted.
func TestPanics(t *testing.T) {
	impl := must(t)(reference.Of(func() *door { return new(door) }))
	rng := rand.New(rand.NewPCG(7, 7))
	var seqs [][]reference.Call
	var want [][]string
	for range testsize.Samples(2_000) {
		var seq []reference.Call
		var words []string
		open, panics := false, 0
		for range 1 + rng.IntN(8) {
			word := "panic"
			switch m := rng.IntN(4); {
			case m == 0:
				seq = append(seq, call(t, impl, "open"))
				if open {
					panics++
				} else {
					open, word = true, "true"
				}
			case m == 1:
				seq = append(seq, call(t, impl, "close", 1))
				if open {
					open, word = false, "value 1"
				} else {
					panics++
				}
			case m == 2:
				seq, word = append(seq, call(t, impl, "panics")), fmt.Sprintf("value (%q)", strconv.Itoa(panics))
			default:
				if seq = append(seq, call(t, impl, "value")); panics < 3 {
					word = fmt.Sprintf("value (%d)", panics+1)
				}
			}
			words = append(words, word)
		}
		seqs, want = append(seqs, seq), append(want, words)
	}
	got, err := impl.Replay(t.Context(), seqs)
	if err != nil {
		t.Fatal(err)
	}
	for i := range seqs {
		if d := cmp.Diff(want[i], draw(got[i])); d != "" {
			t.Fatalf("sequence %d: %s", i, d)
		}
	}
	notes := reference.Notes(impl)
	if len(notes) != 1 || !contains(notes[0], "Value(): call ") || !contains(notes[0], "index out of range [3] with length 3 (") || !contains(notes[0], "inprocess_test.go:") {
		t.Errorf("notes: %q", notes)
	}
}

func TestBlocked(t *testing.T) {
	spec := reference.Spec{New: newQueue, Operations: []reference.Operation{
		{Name: "put", Func: func(q *queue, v int) error {
			if len(q.vs) == 2 {
				return fmt.Errorf("put: %w", reference.Blocked)
			}
			q.Add(v)
			return nil
		}},
		{Name: "take", Func: func(q *queue) int {
			v, ok := q.Remove()
			if !ok {
				panic(reference.Blocked)
			}
			return v
		}},
	}}
	impl := must(t)(reference.New(spec))
	put, take := call(t, impl, "put", 1), call(t, impl, "take")
	got, err := impl.Replay(context.Background(), [][]reference.Call{{put, take, take, put}, {put, put, put, take}, {put, take}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]string{{"none", "value 1", "blocked"}, {"none", "none", "blocked"}, {"none", "value 1"}} {
		if d := cmp.Diff(want, draw(got[i])); d != "" {
			t.Errorf("%d: %s", i, d)
		}
	}
}

func TestCancel(t *testing.T) {
	impl := must(t)(reference.New(reference.Spec{New: newQueue, Operations: []reference.Operation{
		{Name: "wait", Func: func(*queue) { time.Sleep(time.Minute) }}}, Timeout: time.Hour}))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := impl.Replay(ctx, [][]reference.Call{{{}}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	cases := []struct {
		name string
		make func() (reference.Implementation, error)
		want string
	}{
		{"nil", func() (reference.Implementation, error) { return reference.Of(nil) },
			"reference: there is no constructor (New is nil)"},
		{"not a constructor", func() (reference.Implementation, error) { return reference.Of(func(int) *queue { return nil }) },
			"reference: the constructor must be func() T or func() (T, error), not func(int) *reference_test.queue; write a func() that calls it"},
		{"no methods", func() (reference.Implementation, error) { return reference.Of(func() int { return 0 }) },
			"reference: type int has no method that can serve as an operation"},
		{"skip typo", func() (reference.Implementation, error) {
			return reference.New(reference.Spec{New: newQueue, Skip: []string{"Remov"}})
		},
			"reference: there is no method Remov to skip (did you mean Remove?)"},
		{"wrong object", func() (reference.Implementation, error) {
			return reference.New(reference.Spec{New: newQueue, Operations: []reference.Operation{{Func: (*os.File).Sync}}})
		}, "reference: operation sync: its function must take the object (*reference_test.queue) first, not *os.File"},
		{"twice", func() (reference.Implementation, error) {
			return reference.New(reference.Spec{New: newQueue, Operations: []reference.Operation{
				{Func: (*queue).Len}, {Name: "len", Func: func(*queue) {}}}})
		}, "reference: two operations are called len (Len and len)"},
		{"acceptor type", func() (reference.Implementation, error) {
			return reference.New(reference.Spec{New: newQueue, Accept: func(*queue) bool { return true }})
		}, "reference: field Accept must be func(T, reference.Claim) bool, not func(*reference_test.queue) bool"},
		{"acceptor without operations", func() (reference.Implementation, error) {
			return reference.New(reference.Spec{New: newQueue, Accept: func(*queue, reference.Claim) bool { return true }})
		}, "reference: an acceptor must list its operations"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.make()
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
