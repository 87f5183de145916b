package joint_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/joint"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// room is a machine: how many values are in, of a queue with room for so many.
type room int

// inside is how many are.
type inside int

func (n inside) Equal(s wgl.State) bool { return n == s }
func (n inside) Hash() uint64           { return uint64(n) }

func (room) Init() wgl.State { return inside(0) }

func (r room) Step(s wgl.State, l *history.Label) (wgl.State, bool) {
	switch n := s.(inside); l.Outcome {
	case history.True:
		return n + 1, n < inside(r)
	case history.False:
		return n, n == inside(r)
	case history.Nil:
		return n, n == 0
	default:
		return n - 1, n > 0
	}
}

func (room) ReadOnly(l *history.Label) bool {
	return l.Outcome == history.False || l.Outcome == history.Nil
}

// use makes an execution of a queue with room for so many values, and the order in which its operations took effect.
func use(r *rand.Rand, ops, processes, most int) (e *history.Execution, order []int) {
	e = &history.Execution{}
	running, effect := make([]int, processes), make([]bool, ops)
	for p := range running {
		running[p] = -1
	}
	var in []history.Value
	for done := 0; done < ops; {
		p := r.IntN(processes)
		switch i := running[p]; {
		case i < 0 && len(e.Ops) < ops:
			o := history.Operation{ID: strconv.Itoa(len(e.Ops)), Call: e.Events, Return: history.NoReturn}
			if o.Method = "poll"; r.IntN(2) == 0 {
				o.Method, o.Args = "offer", []history.Value{history.Value(o.ID)}
			}
			running[p], e.Ops, e.Events = len(e.Ops), append(e.Ops, o), e.Events+1
		case i < 0:
		case !effect[i]:
			effect[i], order = true, append(order, i)
			switch o := &e.Ops[i]; {
			case o.Method == "offer" && len(in) == most:
				o.Outcome = history.False
			case o.Method == "offer":
				o.Outcome, in = history.True, append(in, o.Args[0])
			case len(in) == 0:
				o.Outcome = history.Nil
			default:
				o.Outcome, o.Rets, in = history.Some, in[:1], in[1:]
			}
		default:
			e.Ops[i].Return, running[p] = e.Events, -1
			e.Events++
			done++
		}
	}
	return e, order
}

// taken reports whether a bounded queue admits operations in an order, which must be that of real time.
func taken(e *history.Execution, order []int, most int) bool {
	var in []history.Value
	called := -1
	for _, i := range order {
		o := &e.Ops[i]
		if o.Completed() && o.Return < called {
			return false
		}
		called = max(called, o.Call)
		right := true
		switch o.Outcome {
		case history.True:
			right, in = len(in) < most, append(in, o.Args[0])
		case history.False:
			right = len(in) == most
		case history.Nil:
			right = len(in) == 0
		default:
			if right = len(in) > 0 && in[0] == o.Rets[0]; right {
				in = in[1:]
			}
		}
		if !right {
			return false
		}
	}
	return len(order) == len(e.Ops)
}

func given(e *history.Execution, order []int, most int) joint.Given {
	order = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return e.Ops[i].Outcome == history.False })
	return joint.Given{Order: order, Machine: room(most), Queue: true}
}

// TestFind: orders that are found are right, and most are found, of long executions, too.
func TestFind(t *testing.T) {
	found, n := 0, testsize.Samples(1000)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 11))
		most := []int{1, 2, 3, 10, 30}[r.IntN(5)]
		e, order := use(r, 20+r.IntN(2000), 2+r.IntN(14), most)
		got, ok := joint.Find(t.Context(), e, given(e, order, most))
		switch {
		case ok && !taken(e, got, most):
			historytest.Fatal(t, e, "seed %d, room for %d: %v", seed, most, got)
		case ok:
			found++
		}
	}
	if t.Logf("%d of %d", found, n); found < int(n)*9/10 {
		t.Errorf("only %d of %d orders are found", found, n)
	}
}

// TestTwin compares with a search over all orders, where operations that find the queue full are added at any time.
func TestTwin(t *testing.T) {
	found, right, n := 0, 0, testsize.Samples(6000)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 13))
		most := 1 + r.IntN(3)
		e, order := use(r, 4+r.IntN(9), 2+r.IntN(4), most)
		from := r.IntN(e.Events)
		to := min(from+1+r.IntN(4), e.Events)
		for i := range e.Ops {
			o := &e.Ops[i]
			shift := func(at int) int {
				if at >= to {
					at++
				}
				if at >= from {
					at++
				}
				return at
			}
			o.Call, o.Return = shift(o.Call), shift(o.Return)
		}
		e.Events += 2
		e.Ops = append(e.Ops, history.Operation{ID: "full", Call: from, Return: to + 1, Label: history.Label{
			Kind: history.Kind{Method: "offer", Outcome: history.False}, Args: []history.Value{"full"}}})
		slices.SortStableFunc(e.Ops, func(a, b history.Operation) int { return a.Call - b.Call })
		at := map[string]int{}
		for i := range e.Ops {
			at[e.Ops[i].ID] = i
		}
		for k, i := range order {
			order[k] = at[strconv.Itoa(i)]
		}
		want, err := wgl.Check(t.Context(), list(most), e, wgl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, ok := joint.Find(t.Context(), e, given(e, order, most))
		if ok && (!want.Linearizable || !taken(e, got, most)) {
			historytest.Fatal(t, e, "seed %d, room for %d: %v", seed, most, got)
		}
		if want.Linearizable {
			right++
		}
		if ok {
			found++
		}
	}
	if t.Logf("%d of %d, of %d", found, right, n); right > int(n)*9/10 || found < right*99/100 {
		t.Errorf("%d of %d orders are found, of %d executions", found, right, n)
	}
}

// list is a queue with room for so many values as a model: its values, in order.
func list(most int) wgl.Model {
	return &wgl.Funcs{
		Initial: func() any { return "" },
		Steps: func(s, in, _ any) (bool, any) {
			l, vs := in.(*history.Label), strings.Fields(s.(string))
			outcome := l.Outcome
			switch { // a call that did not return
			case outcome != history.Pending:
			case l.Method == "offer" && len(vs) < most:
				outcome = history.True
			case l.Method == "offer":
				outcome = history.False
			case len(vs) == 0:
				outcome = history.Nil
			default:
				return true, strings.Join(vs[1:], " ")
			}
			switch outcome {
			case history.True:
				return len(vs) < most, s.(string) + " " + string(l.Args[0])
			case history.False:
				return len(vs) == most, s
			case history.Nil:
				return len(vs) == 0, s
			}
			return len(vs) > 0 && vs[0] == string(l.Rets[0]), strings.Join(vs[min(1, len(vs)):], " ")
		},
	}
}

// TestPeeked: of values that are seen before they go nothing is found, whatever the intervals are.
func TestPeeked(t *testing.T) {
	for seed := range testsize.Samples(2000) {
		r := rand.New(rand.NewPCG(seed, 17))
		e, order := use(r, 30, 4, 3)
		var looks []int
		for i := range e.Ops {
			if e.Ops[i].Outcome == history.Some && r.IntN(3) == 0 {
				looks = append(looks, i)
			}
		}
		for _, i := range looks { // what took a value sees another one, that is taken, too
			e.Ops[i].Rets = e.Ops[looks[0]].Rets
		}
		if got, ok := joint.Find(t.Context(), e, given(e, order, 3)); ok && !taken(e, got, 3) {
			historytest.Fatal(t, e, "seed %d: %v", seed, got)
		}
	}
}

// A queue with room for one value: 2 is refused while 1 is in, so that the poll that takes 1 comes later.
func ExampleFind() {
	label := func(method string, outcome history.Outcome) history.Label {
		return history.Label{Kind: history.Kind{Method: method, Outcome: outcome}}
	}
	e := &history.Execution{Events: 6, Ops: []history.Operation{
		{ID: "a", Call: 0, Return: 1, Label: label("offer", history.True)},
		{ID: "b", Call: 2, Return: 4, Label: label("poll", history.Some)},
		{ID: "c", Call: 3, Return: 5, Label: label("offer", history.False)},
	}}
	e.Ops[0].Args, e.Ops[1].Rets, e.Ops[2].Args = []history.Value{"1"}, []history.Value{"1"}, []history.Value{"2"}
	fmt.Println(joint.Find(context.Background(), e, joint.Given{Order: []int{0, 1}, Machine: room(1), Queue: true}))
	// Output: [0 2 1] true
}
