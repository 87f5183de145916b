package reference_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// bag takes out any element that it holds: which one is not determined.
type bag map[int]int

// bagSpec is a nondeterministic data type, given as an acceptor.
func bagSpec() reference.Spec {
	return reference.Spec{
		Name: "bag",
		New:  func() bag { return bag{} },
		Operations: []reference.Operation{
			{Name: "add", Func: (func(int))(nil)},
			{Name: "take", Func: (func() (int, bool))(nil)},
		},
		Accept: func(b bag, c reference.Claim) bool {
			switch {
			case c.Method == "add":
				b[c.Args[0].(int)]++
				return true
			case c.Outcome == "nil":
				return len(b) == 0
			}
			v := c.Rets[0].(int)
			if b[v] == 0 {
				return false
			}
			if b[v]--; b[v] == 0 {
				delete(b, v)
			}
			return true
		},
	}
}

func label(method string, outcome history.Outcome, args, rets []history.Value) history.Label {
	return history.Label{Kind: history.Kind{Method: method, Outcome: outcome}, Args: args, Rets: rets}
}

func add(v history.Value) history.Label {
	return label("add", history.None, []history.Value{v}, nil)
}

func take(v history.Value) history.Label {
	return label("take", history.Some, nil, []history.Value{v})
}

func TestAcceptor(t *testing.T) {
	impl := must(t)(reference.New(bagSpec()))
	a := impl.(reference.Acceptor)
	empty := label("take", history.Nil, nil, nil)
	seqs := [][]history.Label{
		{},
		{empty, add("1"), add("2"), take("2"), take("1"), empty},
		{add("1"), empty},
		{add("1"), take("2")},
		{add("1"), take("1"), take("1"), add("1")},
		{add("0"), take("(0)")},
	}
	got, err := a.Accepts(context.Background(), seqs)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{0, 6, 1, 1, 2, 2}, got); d != "" {
		t.Error(d)
	}
	if _, err := a.Replay(context.Background(), nil); err == nil {
		t.Error("an acceptor was replayed")
	}
	for want, l := range map[string]history.Label{
		`there is no method "put"`:              label("put", history.None, nil, nil),
		`method add has no outcome "value"`:     label("add", history.Some, nil, nil),
		`add: add takes 1 values and returns 0`: label("add", history.None, nil, nil),
	} {
		if _, err := a.Accepts(context.Background(), [][]history.Label{{l}}); err == nil || !contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func ExampleNew() {
	impl, err := reference.New(bagSpec())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer impl.Close()
	n, err := impl.(reference.Acceptor).Accepts(context.Background(), [][]history.Label{
		{add("1"), add("2"), take("2")},
		{add("1"), take("2")},
	})
	fmt.Println(n, err)
	// Output: [3 1] <nil>
}

func ExampleOf() {
	q, err := reference.Of(newQueue)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer q.Close()
	for _, m := range q.Methods() {
		fmt.Println(m.Name, m.Args, m.Rets)
	}
	answers, err := q.Replay(context.Background(), [][]reference.Call{
		{{Method: 0, Args: []int{1}}, {Method: 0, Args: []int{2}}, {Method: 1}, {Method: 2}},
	})
	for _, a := range answers[0] {
		fmt.Println(a.Outcome, a.Rets)
	}
	fmt.Println(err)
	// Output:
	// add [int] []
	// remove [] [int]
	// len [] [int]
	// none []
	// none []
	// value [1]
	// value [(1)]
	// <nil>
}

// moody is an acceptor's state that a refusal moves.
type moody struct{ asked int }

// TestContradiction: an acceptor that refuses and then allows the same is found out.
func TestContradiction(t *testing.T) {
	spec := reference.Spec{Name: "moody", New: func() *moody { return new(moody) },
		Operations: []reference.Operation{{Name: "ask", Func: (func() bool)(nil)}}}
	spec.Accept = func(m *moody, c reference.Claim) bool {
		m.asked++
		return c.Outcome == "true" || m.asked > 3
	}
	a := must(t)(reference.New(spec)).(reference.Acceptor)
	yes, no := label("ask", history.True, nil, nil), label("ask", history.False, nil, nil)
	if got, err := a.Accepts(t.Context(), [][]history.Label{{yes, no}, {no}}); err != nil || got[0] != 1 || got[1] != 0 {
		t.Errorf("%v, %v", got, err)
	}
	_, err := a.Accepts(t.Context(), [][]history.Label{{yes, yes, no}})
	want := "reference: ask => true; ask => true; ask => false: call 3 answers differently the second time: first refused, then, on the same object, allowed; " +
		"a claim that is refused must leave the state as it is"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	calls := 0
	spec.Accept = func(*moody, reference.Claim) bool { calls++; return calls < 3 }
	a = must(t)(reference.New(spec)).(reference.Acceptor)
	if _, err := a.Accepts(t.Context(), [][]history.Label{{yes, yes}}); err == nil || !contains(err.Error(), "answers differently the second time") {
		t.Errorf("%v", err)
	}
}
