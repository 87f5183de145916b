package page

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theories"
	"github.com/adtinfer/adtinfer/theory"
)

// TestKnowing: a reference, and the automaton of a theory, go through an order as their twins
// in a line each do, and say nothing of one that cannot be.
func TestKnowing(t *testing.T) {
	f, err := os.Open("../../examples/counter/counter.theory.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counter, err := theory.Read(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	ref, err := reference.New(queue.Spec)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for seed := range testsize.Samples(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		order, want := randomQueue(r, r.IntN(20))
		if diff := cmp.Diff(want, (&Knowing{Reference: ref}).After(ctx, order)); diff != "" {
			t.Fatalf("seed %d: queue: -twin +got\n%s", seed, diff)
		}
		order, want = randomCounter(r, r.IntN(20))
		if diff := cmp.Diff(want, (&Knowing{Theory: counter}).After(ctx, order)); diff != "" {
			t.Fatalf("seed %d: counter: -twin +got\n%s", seed, diff)
		}
		order = append(order, history.Label{Kind: history.Kind{Method: "value", Outcome: history.Some}, Rets: []history.Value{"-77"}})
		if got := (&Knowing{Theory: counter}).After(ctx, order); got != nil {
			t.Fatalf("seed %d: %v of an order that cannot be", seed, got)
		}
	}
	order, want := randomQueue(rand.New(rand.NewPCG(1, 1)), 20)
	for i := range want { // as a built-in model says it
		want[i] = strings.NewReplacer("Queue{values:", "", "}", "", " ", ", ").Replace(want[i])
	}
	patterns, err := theories.Load("queue")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []Knowing{{Model: "queue"}, {Theory: patterns}, {Theory: patterns, Model: "queue"}} {
		if diff := cmp.Diff(want, k.After(ctx, order)); diff != "" {
			t.Errorf("%+v: -twin +got\n%s", k, diff)
		}
	}
	if got := (&Knowing{Theory: patterns, Model: "stack"}).After(ctx, order); got != nil {
		t.Errorf("a stack stands for a queue: %v", got)
	}
	if got := (&Knowing{}).After(ctx, make([]history.Label, 3)); got != nil {
		t.Errorf("nobody knows, but %v", got)
	}
	long, _ := randomQueue(rand.New(rand.NewPCG(1, 1)), mostStates+1)
	if got := (&Knowing{Reference: ref}).After(ctx, long); got != nil {
		t.Errorf("%d states of a long order", len(got))
	}
}

func randomQueue(r *rand.Rand, n int) (order []history.Label, states []string) {
	var inside []string
	for i := range n {
		l := history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{history.Value(fmt.Sprint(i))}}
		switch {
		case r.IntN(2) == 0:
			inside = append(inside, fmt.Sprint(i))
		case len(inside) == 0:
			l = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}}
		default:
			l = history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: []history.Value{history.Value(inside[0])}}
			inside = inside[1:]
		}
		order, states = append(order, l), append(states, "Queue{values:["+strings.Join(inside, " ")+"]}")
	}
	return order, states
}

func randomCounter(r *rand.Rand, n int) (order []history.Label, states []string) {
	now := 0
	for range n {
		l := history.Label{Kind: history.Kind{Method: "inc", Outcome: history.None}}
		switch r.IntN(3) {
		case 0:
			now++
		case 1:
			l.Method, l.Outcome, l.Rets = "dec", history.Some, []history.Value{history.Value(fmt.Sprint(now - 1))}
			now--
		default:
			l.Method, l.Outcome, l.Rets = "value", history.Some, []history.Value{history.Value(fmt.Sprint(now))}
		}
		order, states = append(order, l), append(states, fmt.Sprintf("n = %d", now))
	}
	return order, states
}
