package live_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

type number interface {
	~int | ~int8 | ~uint | ~uint8 | ~string
}

// heap gives back its largest value first, smallest is the queue of the smallest.
type heap[T number] struct {
	values   []T
	smallest bool
}

func (h *heap[T]) Add(v T) { h.values = append(h.values, v) }

func (h *heap[T]) Remove() (v T, ok bool) {
	if len(h.values) == 0 {
		return v, false
	}
	v = slices.Max(h.values)
	if h.smallest {
		v = slices.Min(h.values)
	}
	i := slices.Index(h.values, v)
	h.values = slices.Delete(h.values, i, i+1)
	return v, true
}

// line is first in, first out, of any type, and made up values beside.
type line[T any] struct{ values []T }

func (q *line[T]) Add(v T)   { q.values = append(q.values, v) }
func (q *line[T]) Size() int { return len(q.values) }

func (q *line[T]) Remove() (v T, ok bool) {
	if len(q.values) == 0 {
		return v, false
	}
	v = q.values[0]
	q.values = q.values[1:]
	return v, true
}

// Last is the zero value at first.
func (q *line[T]) Last() (v T) {
	if len(q.values) > 0 {
		v = q.values[len(q.values)-1]
	}
	return v
}

func newLine[T any]() *line[T] { return &line[T]{} }

func implementation(t *testing.T, construct any) reference.Implementation {
	t.Helper()
	impl, err := reference.Of(construct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	return impl
}

// labelled reads "add -5" as a call and "remove=1" as one with its answer.
func labelled(ops string) (labels []history.Label) {
	for _, op := range strings.Split(ops, "; ") {
		call, ret, answered := strings.Cut(op, "=")
		method, arg, has := strings.Cut(call, " ")
		l := history.Label{Kind: history.Kind{Method: method, Outcome: history.None}}
		if has {
			l.Args = []history.Value{history.Value(arg)}
		}
		switch {
		case answered && ret == "nil":
			l.Outcome = history.Nil
		case answered:
			l.Outcome, l.Rets = history.Some, []history.Value{history.Value(ret)}
		}
		labels = append(labels, l)
	}
	return labels
}

// TestAdmitsValues: a reference gets the values of the log, whatever they are,
// and an answer never meets an argument of another name.
func TestAdmitsValues(t *testing.T) {
	maxHeap := func() *heap[int] { return &heap[int]{} }
	minHeap := func() *heap[int] { return &heap[int]{smallest: true} }
	for _, tt := range []struct {
		name      string
		construct any
		ops       string
		want      int
	}{
		{"a number that nobody added", newLine[int], "add 7; remove=1", 1},
		{"nor as a string", newLine[string], "add alice; remove=1", 1},
		{"a string", newLine[string], "add alice; add bob; remove=alice; remove=bob; remove=nil", 5},
		{"the other string", newLine[string], "add alice; add bob; remove=bob", 2},
		{"a number by another text", newLine[int], "add 7.0; add 0x1f; add 2e3; remove=7; remove=31; remove=2000.0; last=0", 7},
		{"another number by another text", newLine[int], "add 7.0; remove=70", 1},
		{"texts of digits stay apart", newLine[string], "add 007; remove=7", 1},
		{"a duration", newLine[time.Duration], "add 5s; add 1m0s; remove=5000000000; remove=60s; size=0", 5},
		{"another duration", newLine[time.Duration], "add 5s; remove=5000000", 1},
		{"a name of an enum", newLine[month], "add may; add 3; remove=4; remove=april", 4},
		{"negative numbers have an order", maxHeap, "add 9; add -5; remove=-5", 2},
		{"and it is theirs", maxHeap, "add -5; add 9; remove=9; remove=-5", 4},
		{"zero", minHeap, "add 3; add 0; add 2; remove=0; remove=2; remove=3", 6},
		{"not the order of appearance", minHeap, "add 3; add 0; add 2; remove=3", 3},
		{"large numbers", maxHeap, "add 4000000000000; add 9000000000000; remove=9000000000000", 3},
		{"strings have an order", func() *heap[string] { return &heap[string]{} }, "add pear; add apple; remove=pear; remove=apple", 4},
		{"unsigned", func() *heap[uint] { return &heap[uint]{} }, "add 18446744073709551615; add 7; remove=18446744073709551615", 3},
		{"narrow", func() *heap[int8] { return &heap[int8]{} }, "add -128; add 127; remove=127; remove=-128", 4},
		{"any", newLine[any], "add 7; add alice; remove=7; remove=alice", 4},
		{"bool", newLine[bool], "add true; add False; remove=TRUE; remove=false", 4},
		{"made up, and an argument", newLine[int], "add 1; size=1; remove=1; last=0", 4},
		{"not made up", newLine[int], "last=1", 0},
		{"quotes are of the value", newLine[string], `add "a"; remove="a"`, 2},
		{"and are not taken off", newLine[string], `add "a"; remove=a`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := live.Admits(t.Context(), implementation(t, tt.construct), labelled(tt.ops))
			if err != nil || got != tt.want {
				t.Errorf("%s: got %d, %v, want %d", tt.ops, got, err, tt.want)
			}
		})
	}
}

// month prints by name.
type month int

func (m month) String() string { return []string{"january", "february", "march", "april", "may"}[m] }

// TestAdmitsRefuses: values that are none of the reference's types are an error and no
// answer, whatever the reference makes of values.
func TestAdmitsRefuses(t *testing.T) {
	for _, tt := range []struct {
		name      string
		construct any
		ops, want string
	}{
		{"a name", newLine[int], "add alice; remove=alice", `the log has "alice" where add takes int`},
		{"beside numbers", newLine[int], "add 7; add bob", `the log has "bob" where add takes int`},
		{"an answer", newLine[int], "add 7; remove=bob", `the log has "bob" where remove answers with int`},
		{"octal or not", newLine[int], "add 007", `the log has "007" where add takes int`},
		{"a fraction", newLine[int], "add 7.5", `the log has "7.5" where add takes int`},
		{"too large", newLine[int8], "add 1000", `the log has "1000" where add takes int8`},
		{"below zero", newLine[uint], "add -1", `the log has "-1" where add takes uint`},
		{"no bool", newLine[bool], "add alice; remove=alice", `the log has "alice" where add takes bool`},
		{"no duration", newLine[time.Duration], "add 5x", `the log has "5x" where add takes time.Duration`},
		{"no such month", newLine[month], "add 0; remove=june", `the log has "june" where remove answers with live_test.month`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := live.Admits(t.Context(), implementation(t, tt.construct), labelled(tt.ops))
			var unfit *live.Unfit
			if !errors.As(err, &unfit) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want %s", tt.ops, err, tt.want)
			}
		})
	}
}

// TestAdmitsLikeAModel compares Admits with a model, whatever the values are
// called: the queue for all names, the heap for all integers.
func TestAdmitsLikeAModel(t *testing.T) {
	queue, heap := implementation(t, newLine[int]), implementation(t, func() *heap[int] { return &heap[int]{} })
	names := []history.Value{"1", "2", "0", "-5", "7.0", "8e1", "0x1f", "1048577", "-1048577", "3000000000", "+15"}
	admitted := 0
	for seed := range testsize.Samples(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		same(t, &admitted, historytest.Queue(), queue, r, func(n int) history.Value { return names[n%len(names)] })
		base := r.IntN(9) - 4
		numbers := func(n int) history.Value { return history.Value(strconv.Itoa((n + base) * 1_000_003)) }
		same(t, &admitted, historytest.PriorityQueue(), heap, r, numbers)
	}
	if n := int(testsize.Samples(300)); admitted < n/10 || admitted > 2*n-n/10 {
		t.Errorf("too one-sided a sample: %d of %d admitted", admitted, 2*n)
	}
}

// same compares on one sequence, of which the values are renamed.
func same(t *testing.T, admitted *int, typ historytest.Type, impl reference.Implementation, r *rand.Rand, name func(int) history.Value) {
	t.Helper()
	typ.Methods = typ.Methods[:2] // add and remove
	e := typ.Execution(r, 2+r.IntN(7), 1, 5)
	var labels, renamed []history.Label
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			continue
		}
		l := e.Ops[i].Label
		labels = append(labels, l)
		for _, vs := range []*[]history.Value{&l.Args, &l.Rets} {
			*vs = slices.Clone(*vs)
			for k, v := range *vs {
				n, _ := strconv.Atoi(string(v))
				(*vs)[k] = name(n)
			}
		}
		renamed = append(renamed, l)
	}
	want, _ := typ.Model.Admits(context.Background(), labels)
	got, err := live.Admits(t.Context(), impl, renamed)
	if err != nil || got != want {
		t.Fatalf("%s: %s: got %d, %v, want %d", typ.Name, fmt.Sprint(renamed), got, err, want)
	}
	if got == len(labels) {
		*admitted++
	}
}

// TestAcceptorValues: an acceptor gets the values of the log, too.
func TestAcceptorValues(t *testing.T) {
	impl := must(t)(reference.New(bagSpec()))
	for _, tt := range []struct {
		ops  string
		want int
	}{
		{"add -3; add 0; take=0; take=-3; take=nil", 5},
		{"add 4; take=1", 1},
		{"add 4; add -3; take=-3; take=4.0; take=5", 4},
	} {
		if got, err := live.Admits(t.Context(), impl, labelled(tt.ops)); err != nil || got != tt.want {
			t.Errorf("%s: got %d, %v, want %d", tt.ops, got, err, tt.want)
		}
	}
	_, err := live.Admits(t.Context(), impl, labelled("add 1; take=alice"))
	if !errors.As(err, new(*live.Unfit)) {
		t.Errorf("a name: %v", err)
	}
}

// TestFaultValues: a fault shows the values that the reference got.
func TestFaultValues(t *testing.T) {
	impl := implementation(t, func() *fragile { return &fragile{} })
	_, err := live.Admits(t.Context(), impl, labelled("drop -5"))
	if want := `reference: Drop(-5): call 1 panics`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

type fragile struct{}

func (*fragile) Drop(int) { runtime.Goexit() }

// must is the reference that a Spec makes.
func must(t *testing.T) func(impl reference.Implementation, err error) reference.Implementation {
	return func(impl reference.Implementation, err error) reference.Implementation {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return impl
	}
}

// bag takes out any element that it holds: which one is not determined.
type bag map[int]int

func bagSpec() reference.Spec {
	return reference.Spec{
		New:        func() bag { return bag{} },
		Operations: []reference.Operation{{Name: "add", Func: (func(int))(nil)}, {Name: "take", Func: (func() (int, bool))(nil)}},
		Accept: func(b bag, c reference.Claim) bool {
			switch {
			case c.Method == "add":
				b[c.Args[0].(int)]++
			case c.Outcome == "nil":
				return len(b) == 0
			default:
				v := c.Rets[0].(int)
				if b[v]--; b[v] < 0 {
					return false
				}
				if b[v] == 0 {
					delete(b, v)
				}
			}
			return true
		},
	}
}

// texts holds texts, whose answers are longer than logs have them.
type texts struct{ all []string }

func (s *texts) Add(v string) { s.all = append(s.all, v) }
func (s *texts) First() string {
	return append(s.all, `"`)[0]
}

// TestReplayMemory: what a memory keeps stays as it is, so that the second answer is the first.
func TestReplayMemory(t *testing.T) {
	impl, err := reference.Of(func() *texts { return &texts{} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	m := live.NewMemory(impl, 100)
	c, err := live.NewCaller(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := [][]reference.Call{{{Method: 0, Values: []history.Value{`"a"`}}, {Method: 1}}}
	for range 3 {
		got, err := c.Replay(t.Context(), calls)
		if err != nil || got[0][1].Rets[0] != `"a"` {
			t.Fatalf("%v, %v", got, err)
		}
	}
}
