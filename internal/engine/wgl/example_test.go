package wgl_test

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

func label(method string, o history.Outcome, args, rets []history.Value) history.Label {
	return history.Label{Kind: history.Kind{Method: method, Outcome: o}, Args: args, Rets: rets}
}

func ExampleCheck() {
	one, two := []history.Value{"1"}, []history.Value{"2"}
	e := history.Sequential(
		label("add", history.None, one, nil),
		label("add", history.None, two, nil),
		label("remove", history.Some, nil, two))
	for _, name := range []string{"queue", "stack"} {
		m, _ := wgl.Builtin(name)
		r, err := wgl.Check(context.Background(), m, e, wgl.Options{})
		fmt.Println(name, r.Linearizable, r.Prefix, err)
	}
	// Output:
	// queue false 6 <nil>
	// stack true 0 <nil>
}

// tally is a counter: add(1) answers nothing, and get the sum.
type tally struct{}

type sum int

func (s sum) Equal(t wgl.State) bool { return s == t.(sum) }
func (s sum) Hash() uint64           { return uint64(s) }

func (tally) Init() wgl.State { return sum(0) }

func (tally) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	n := s.(sum)
	if l.Method == "add" {
		return n + 1, true
	}
	return n, l.Outcome == history.Pending || string(l.Rets[0]) == fmt.Sprint(n)
}

// A model of your own: a counter. No theory speaks of it, since it does not
// know which add a get has seen.
func ExampleModel() {
	e := history.Sequential(
		label("add", history.None, nil, nil),
		label("get", history.Some, nil, []history.Value{"1"}),
		label("add", history.None, nil, nil),
		label("get", history.Some, nil, []history.Value{"1"}))
	r, err := wgl.Check(context.Background(), tally{}, e, wgl.Options{})
	fmt.Println(r.Linearizable, r.Prefix, err)
	// Output:
	// false 8 <nil>
}
