package caller

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

type item struct {
	Name string
	N    int
}

type items[T any] struct{ all []T }

func (q *items[T]) Add(v T) { q.all = append(q.all, v) }
func (q *items[T]) Remove() (v T, ok bool) {
	if len(q.all) > 0 {
		v, q.all, ok = q.all[0], q.all[1:], true
	}
	return v, ok
}
func (q *items[T]) All() []T      { return q.all }
func (q *items[T]) AddAll(vs []T) { q.all = append(q.all, vs...) }
func (q *items[T]) ByName() map[int]T {
	m := map[int]T{}
	for i, v := range q.all {
		m[i] = v
	}
	return m
}

// TestNamesOfValues calls a queue with what logs have for structs, pointers, bytes
// and numbers with fractions.
func TestNamesOfValues(t *testing.T) {
	of := func(impl reference.Implementation, err error) reference.Implementation {
		if err != nil {
			t.Fatal(err)
		}
		return impl
	}
	structs := of(reference.Of(func() *items[item] { return new(items[item]) }))
	pointers := of(reference.Of(func() *items[*item] { return new(items[*item]) }))
	bytes := of(reference.Of(func() *items[[]byte] { return new(items[[]byte]) }))
	floats := of(reference.Of(func() *items[float64] { return new(items[float64]) }))
	for _, tt := range []struct {
		impl reference.Implementation
		log  string // of calls, with | for blanks
		want int
	}{
		{structs, "add alice; add bob; all => [alice|bob]; remove => alice; remove => bob; remove => nil", 6},
		{structs, "add alice; add bob; remove => bob", 2},
		{structs, "add {x|1}; add alice; all => [{x|1}|alice]; byName => map[0:{x|1}|1:alice]; remove => {x|1}", 5},
		{structs, `add {"Name":"x","N":1}; remove => {x|1}`, 2},
		{structs, `add {x|1}; remove => {"Name":"x","N":1}`, 2},
		{structs, "add {x|1}; remove => {x|2}", 1},
		{structs, "addAll [alice|{x|1}]; remove => alice; remove => {x|1}; add alice; remove => alice", 5},
		{pointers, "add p; add q; add p; remove => p; remove => q; remove => p; remove => nil", 7},
		{pointers, "add p; add q; all => [p|q]; all => [q|p]", 3},
		{pointers, "add &{x|1}; add nil; remove => &{x|1}; remove => nil", 3},
		{bytes, "add alice; remove => alice; add nil; remove => nil; remove => nil", 3},
		{floats, "add 1.50; add 2; remove => 1.5; remove => 2.0; add x; remove => x", 6},
	} {
		var labels []history.Label
		for _, part := range strings.Split(tt.log, "; ") {
			call, answer, returns := strings.Cut(part, " => ")
			method, arg, _ := strings.Cut(call, " ")
			l := history.Label{Kind: history.Kind{Method: method, Outcome: history.None}}
			value := func(s string) []history.Value { return []history.Value{history.Value(strings.ReplaceAll(s, "|", " "))} }
			if arg != "" {
				l.Args = value(arg)
			}
			if returns && answer == "nil" && method == "remove" {
				l.Outcome = history.Nil
			} else if returns {
				l.Outcome, l.Rets = history.Some, value(answer)
			}
			labels = append(labels, l)
		}
		n, err := Admits(context.Background(), tt.impl, labels)
		if err != nil || n != tt.want {
			t.Errorf("%s: %d are admitted (%v), want %d", tt.log, n, err, tt.want)
		}
	}
}

// names is a set that knows its items by their names alone.
type names map[string]item

func (s names) Add(v item) bool {
	_, had := s[v.Name]
	s[v.Name] = v
	return !had
}
func (s names) Least() (least string) {
	for n := range s {
		if least == "" || n < least {
			least = n
		}
	}
	return least
}

// TestNamesLookedInto is about a reference that looks into values of which a log
// only has names.
func TestNamesLookedInto(t *testing.T) {
	impl, err := reference.Of(func() names { return names{} })
	if err != nil {
		t.Fatal(err)
	}
	add := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "add", Outcome: history.True}, Args: []history.Value{v}}
	}
	least := func(v history.Value) history.Label {
		return history.Label{Kind: history.Kind{Method: "least", Outcome: history.Some}, Rets: []history.Value{v}}
	}
	if n, err := Admits(context.Background(), impl, []history.Label{add("{b 1}"), add("{a 2}"), least("a")}); err != nil || n != 3 {
		t.Errorf("values: %d, %v", n, err)
	}
	var unfit *Unfit
	if _, err := Admits(context.Background(), impl, []history.Label{add("x"), add("y"), least("x")}); !errors.As(err, &unfit) || !unfit.Told {
		t.Errorf("names: %v", err)
	}
	structs, err := reference.Of(func() *items[item] { return new(items[item]) })
	if err != nil {
		t.Fatal(err)
	}
	unknown := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{"alice"}}
	if _, err := Admits(context.Background(), structs, []history.Label{unknown}); !errors.As(err, &unfit) || !unfit.Result {
		t.Errorf("a name that nobody passed in: %v", err)
	}
}
