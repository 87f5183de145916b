package monitor_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/theory"
)

// kind is a type with the procedure that is chosen for it.
type kind struct {
	historytest.Type
	theory *theory.Theory
	*monitor.Procedure
}

// kinds lists types of all shapes.
func kinds(t *testing.T) (all []kind) {
	add := func(x historytest.Type, th *theory.Theory) {
		all = append(all, kind{x, th, selected(t, th).Selected})
	}
	for _, x := range append(historytest.Examples(), historytest.Worksteal()) {
		if x.Name == "set" { // a value is added once, which is what is decided
			x.Methods[0].Takes = historytest.Fresh
			x.Methods[1].Takes, x.Methods[2].Takes = 12, 12
		}
		add(x, example(t, x.Name))
	}
	add(deque(), example(t, "deque"))
	for _, name := range []string{"peekqueue", "peekstack", "stealing"} {
		add(typeOf(name), inferred(t, name))
	}
	add(typeOf("bag"), bagTheory(t))
	pq, th := historytest.PriorityQueue(), &theory.Theory{}
	th.Name = pq.Name
	p := monitor.PriorityQueue{Name: pq.Name, Add: "add", Remove: "remove", Peek: "peek"}
	return append(all, kind{pq, th, monitor.ForPriorityQueue(p)})
}

// bagTheory is the theory of queues without its patterns about order.
func bagTheory(tb testing.TB) *theory.Theory {
	th := example(tb, "queue")
	th.Spec.Patterns = slices.DeleteFunc(th.Spec.Patterns, func(p theory.Pattern) bool { return strings.HasPrefix(p.Name, "add-add") })
	return th
}

// order is a linearization as evidence.
func order(e *history.Execution, l *monitor.Linearization) (all []evidence.Taken) {
	for _, i := range l.Order {
		x := evidence.Taken{Op: e.Ops[i].ID}
		if label, ok := l.Completions[i]; ok {
			x.Outcome, x.Rets = label.Outcome, label.Rets
		}
		all = append(all, x)
	}
	return all
}

// TestLinearizeVerifies: of random executions, those that are linearizable have
// a linearization that a verifier accepts, which knows the type and no procedure.
func TestLinearizeVerifies(t *testing.T) {
	for i, k := range kinds(t) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 8))
			made, pending, total := 0, 0, samples(500)
			for n := range total {
				ops := 4 + r.IntN(20)
				if n%10 == 0 {
					ops = 200
				}
				x := k.Type
				if n%3 == 0 {
					x.Lost = 8
				}
				e := x.Execution(r, ops, 2+r.IntN(7), 0)
				l, err := k.Linearize(t.Context(), e)
				if errors.As(err, new(*monitor.OutsideClass)) {
					continue
				}
				if err != nil {
					t.Fatalf("%v\n%s", err, historytest.Text(e))
				}
				made++
				pending += len(l.Completions)
				ev := &evidence.Evidence{Theory: k.theory.Name, Log: evidence.Digest(e), Order: order(e, l)}
				if err := verify.Check(t.Context(), k.theory, e, ev, k.Model.Admits); err != nil {
					t.Fatalf("%v\n%v\n%s", err, ev.Order, historytest.Text(e))
				}
			}
			t.Logf("%d of %d, with %d pending operations", made, total, pending)
			if made < total/2 || pending < total/50 {
				t.Error("too few")
			}
		})
	}
}
