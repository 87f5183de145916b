package wgl

import (
	"fmt"
	"testing"

	"github.com/adtinfer/adtinfer/history"
)

// TestStateWords: each built-in model says in words what is in it.
func TestStateWords(t *testing.T) {
	op := func(method string, outcome history.Outcome, values ...history.Value) *history.Label {
		l := &history.Label{Kind: history.Kind{Method: method, Outcome: outcome}}
		if outcome == history.Some {
			l.Rets = values
		} else {
			l.Args = values
		}
		return l
	}
	add := func(v history.Value) *history.Label { return op("add", history.None, v) }
	for _, tt := range []struct {
		model string
		do    []*history.Label
		want  string
	}{
		{"register", nil, "nothing"},
		{"register", []*history.Label{op("write", history.None, "7")}, "7"},
		{"queue", nil, "[]"},
		{"queue", []*history.Label{add("1"), add("2"), op("remove", history.Some, "1"), add("3")}, "[2, 3]"},
		{"bounded-queue(3)", []*history.Label{add("1")}, "[1]"},
		{"stack", []*history.Label{add("1"), add("2")}, "[2, 1] from the top"},
		{"set", []*history.Label{op("insert", history.Nil, "b"), op("insert", history.Nil, "a")}, "{a, b}"},
		{"bag", []*history.Label{add("1"), add("1")}, "{1, 1}"},
		{"kv", []*history.Label{op("put", history.None, "k", "1"), op("put", history.None, "j", "2")}, "{j: 2, k: 1}"},
		{"semaphore(2)", []*history.Label{op("acquire", history.None)}, "1"},
		{"counter", []*history.Label{op("inc", history.None), op("inc", history.None)}, "2"},
		{"mutex", []*history.Label{op("acquire", history.None, "a")}, "owner a"},
		{"log", []*history.Label{op("append", history.None, "x")}, "[x]"},
	} {
		m, err := Builtin(tt.model)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Init()
		for _, l := range tt.do {
			next, ok := m.Step(s, l)
			if !ok {
				t.Fatalf("%s: %v in %v", tt.model, l, s)
			}
			s = next
		}
		if got := fmt.Sprint(s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.model, got, tt.want)
		}
	}
	var many State = &line{buf: &buffer{}}
	for n := range 25 {
		many = many.(*line).push(history.Value(fmt.Sprint(n)))
	}
	if got, want := fmt.Sprint(many), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 5 more]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestStatesHaveWords: no built-in model has a state without words.
func TestStatesHaveWords(t *testing.T) {
	for _, name := range Builtins() {
		m, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Init().(fmt.Stringer); !ok {
			t.Errorf("%s: a state is a %T", name, m.Init())
		}
	}
}
