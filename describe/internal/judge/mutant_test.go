package judge_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// shelf is a queue with a map beside it.
type shelf struct {
	values []int
	byKey  map[string]int
}

func newShelf() *shelf { return &shelf{byKey: map[string]int{}} }

func (s *shelf) Add(v int) { s.values = append(s.values, v) }

func (s *shelf) Remove() (int, bool) {
	if len(s.values) == 0 {
		return 0, false
	}
	v := s.values[0]
	s.values = s.values[1:]
	return v, true
}

func (s *shelf) Put(k string, v int) bool {
	_, old := s.byKey[k]
	s.byKey[k] = v
	return old
}

// Acquire waits if there is nothing to remove.
func (s *shelf) Acquire() error {
	if len(s.values) == 0 {
		return reference.Blocked
	}
	s.Remove()
	return nil
}

// object is a shelf with what its wrong versions look at.
type object struct {
	shelf
	adds, removes, puts, acquires int
	last                          map[string]string // right answers by method
	ints, keys                    []int             // passed in so far
	before                        call
}

type call struct {
	method string
	args   []int
}

func (o *object) right(c call) string {
	switch c.method {
	case "add":
		o.Add(c.args[0])
		return "none"
	case "remove":
		v, ok := o.Remove()
		if !ok {
			return "nil"
		}
		return fmt.Sprint("value ", v)
	case "put":
		return fmt.Sprint(o.Put(fmt.Sprint(c.args[0]), c.args[1]))
	}
	if o.Acquire() != nil {
		return "blocked"
	}
	return "none"
}

// without answers a call and takes its effect back.
func (o *object) without(c call) string {
	saved := shelf{slices.Clone(o.values), map[string]int{}}
	for k, v := range o.byKey {
		saved.byKey[k] = v
	}
	a := o.right(c)
	o.shelf = saved
	return a
}

func lastOther(seen []int, v int) int {
	for _, w := range slices.Backward(seen) {
		if w != v {
			return w
		}
	}
	return v
}

// version is a wrong version of a shelf: it takes a call and answers it.
type version func(o *object, c call) string

// of restricts what is wrong to one method.
func of(method string, v version) version {
	return func(o *object, c call) string {
		if c.method != method {
			return o.right(c)
		}
		return v(o, c)
	}
}

func twice(o *object, c call) string {
	a := o.right(c)
	if a != "blocked" {
		if o.right(c) == "blocked" {
			o.values = nil
			return a + ", then blocked"
		}
	}
	return a
}

func every(count func(o *object) *int) version {
	return func(o *object, c call) string {
		n := count(o)
		if *n++; *n%2 == 0 {
			return o.without(c)
		}
		return o.right(c)
	}
}

func before(o *object, c call) string {
	a := o.right(c)
	if a == "blocked" {
		return a
	}
	old, ok := o.last[c.method]
	if o.last[c.method] = a; ok {
		return old
	}
	return a
}

func always(word string) version {
	return func(o *object, c call) string {
		if a := o.right(c); a == "blocked" {
			return a
		}
		return word
	}
}

var versions = map[string]version{
	"add does nothing":                   of("add", func(o *object, c call) string { return "none" }),
	"add takes effect twice":             of("add", twice),
	"add does nothing every second time": of("add", every(func(o *object) *int { return &o.adds })),
	"add acts on another value than its argument": of("add", func(o *object, c call) string {
		return o.right(call{"add", []int{lastOther(o.ints, c.args[0])}})
	}),
	"remove does nothing":                    of("remove", (*object).without),
	"remove takes effect twice":              of("remove", twice),
	"remove does nothing every second time":  of("remove", every(func(o *object) *int { return &o.removes })),
	"remove answers what it answered before": of("remove", before),
	"remove answers nil always":              of("remove", always("nil")),
	"remove answers another value": of("remove", func(o *object, c call) string {
		v, ok := o.Remove()
		if !ok {
			return "nil"
		}
		return fmt.Sprint("value ", lastOther(o.ints, v))
	}),
	"put does nothing":                   of("put", (*object).without),
	"put takes effect twice":             of("put", twice),
	"put does nothing every second time": of("put", every(func(o *object) *int { return &o.puts })),
	"put does nothing right after one with the same 1st argument": of("put", func(o *object, c call) string {
		if o.before.method == "put" && o.before.args[0] == c.args[0] {
			return o.without(c)
		}
		return o.right(c)
	}),
	"put acts on another value than its 1st argument": of("put", func(o *object, c call) string {
		return o.right(call{"put", []int{lastOther(o.keys, c.args[0]), c.args[1]}})
	}),
	"put acts on another value than its 2nd argument": of("put", func(o *object, c call) string {
		return o.right(call{"put", []int{c.args[0], lastOther(o.ints, c.args[1])}})
	}),
	"put answers what it answered before": of("put", before),
	"put answers true always":             of("put", always("true")),
	"put answers false always":            of("put", always("false")),
	"put answers true and false swapped": of("put", func(o *object, c call) string {
		if o.right(c) == "true" {
			return "false"
		}
		return "true"
	}),
	"acquire does nothing":                    of("acquire", (*object).without),
	"acquire takes effect twice":              of("acquire", twice),
	"acquire does nothing every second time":  of("acquire", every(func(o *object) *int { return &o.acquires })),
	"acquire answers what it answered before": of("acquire", before),
	"acquire answers success always":          of("acquire", always("none")),
	"acquire answers error always":            of("acquire", always("error")),
	"acquire answers success and error swapped": of("acquire", func(o *object, c call) string {
		if a := o.right(c); a == "blocked" {
			return a
		}
		return "error"
	}),
}

// run gives the answers of a wrong version, up to a call that waits.
func run(v version, calls []call) []string {
	o := &object{shelf: *newShelf(), last: map[string]string{}}
	var answers []string
	for _, c := range calls {
		a := v(o, c)
		switch c.method {
		case "add":
			o.ints = append(o.ints, c.args[0])
		case "put":
			o.keys, o.ints = append(o.keys, c.args[0]), append(o.ints, c.args[1])
		}
		o.before = c
		if base, _, stuck := cut(a); stuck {
			return append(answers, base)
		}
		if answers = append(answers, a); a == "blocked" {
			break
		}
	}
	return answers
}

// cut finds answers after which the object is stuck.
func cut(a string) (base, rest string, stuck bool) {
	if n := len(a) - len(", then blocked"); n > 0 && a[n:] == ", then blocked" {
		return a[:n], "", true
	}
	return a, "", false
}

// TestMutants: mutants answer as wrong versions do that are written by hand.
func TestMutants(t *testing.T) {
	impl, err := reference.Of(newShelf)
	if err != nil {
		t.Fatal(err)
	}
	methods := impl.Methods()
	words := int(testsize.Samples(300))
	rng := rand.New(rand.NewPCG(1, 2))
	var seqs [][]reference.Call
	var plain [][]call
	for range words {
		var seq []reference.Call
		var cs []call
		for range rng.IntN(12) {
			c := reference.Call{Method: rng.IntN(len(methods))}
			for range methods[c.Method].Args {
				c.Args = append(c.Args, 1+rng.IntN(3))
			}
			seq, cs = append(seq, c), append(cs, call{methods[c.Method].Name, c.Args})
		}
		seqs, plain = append(seqs, seq), append(plain, cs)
	}
	tried := map[string]bool{}
	for _, m := range judge.All(methods) {
		v, ok := versions[m.Name]
		if !ok {
			continue // see TestExchange
		}
		tried[m.Name] = true
		got, err := m.Replay(context.Background(), impl, seqs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seqs {
			want := run(v, plain[i])
			if diff := cmp.Diff(want, texts(got[i])); diff != "" {
				t.Fatalf("%s: %v (-by hand +mutant):\n%s", m.Name, plain[i], diff)
			}
		}
	}
	for name := range versions {
		if !tried[name] {
			t.Errorf("no mutant is called %q", name)
		}
	}
}

func texts(answers []reference.Answer) (words []string) {
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

type queue struct{ values []int }

func (q *queue) Add(v int)           { q.values = append(q.values, v) }
func (q *queue) Remove() (int, bool) { return q.take(0) }

func (q *queue) take(i int) (int, bool) {
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[i]
	q.values = slices.Delete(q.values, i, i+1)
	return v, true
}

type stack struct{ queue queue }

func (s *stack) Add(v int) { s.queue.Add(v) }

func (s *stack) Remove() (int, bool) { return s.queue.take(max(0, len(s.queue.values)-1)) }

// TestExchange: a queue that answers the newest value first is a stack, a stack
// that answers the oldest first is a queue, and the other way each stays as it is.
func TestExchange(t *testing.T) {
	q, s := must(t, func() *queue { return &queue{} }), must(t, func() *stack { return &stack{} })
	rng := rand.New(rand.NewPCG(3, 4))
	var seqs [][]reference.Call
	for range 300 {
		var seq []reference.Call
		fresh := 0
		for range rng.IntN(20) {
			if rng.IntN(2) == 0 {
				seq = append(seq, reference.Call{Method: 1})
				continue
			}
			fresh++
			seq = append(seq, reference.Call{Method: 0, Args: []int{fresh}})
		}
		seqs = append(seqs, seq)
	}
	for _, c := range []struct {
		of   reference.Implementation
		name string
		is   reference.Implementation
	}{
		{q, "remove answers the newest value first", s},
		{s, "remove answers the oldest value first", q},
		{q, "remove answers the oldest value first", q},
		{s, "remove answers the newest value first", s},
	} {
		all := judge.All(c.of.Methods())
		i := slices.IndexFunc(all, func(m judge.Mutant) bool { return m.Name == c.name })
		got, err := all[i].Replay(context.Background(), c.of, seqs)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.is.Replay(context.Background(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range seqs {
			if diff := cmp.Diff(texts(want[i]), texts(got[i])); diff != "" {
				t.Fatalf("%s: %v (-want +got):\n%s", c.name, seqs[i], diff)
			}
		}
	}
}

func must(t *testing.T, constructor any) reference.Implementation {
	t.Helper()
	impl, err := reference.Of(constructor)
	if err != nil {
		t.Fatal(err)
	}
	if m := impl.Methods(); m[0].Name != "add" || m[1].Name != "remove" {
		t.Fatal("methods in another order")
	}
	return impl
}
