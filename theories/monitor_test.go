package theories_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// shapes are the near-linear procedures that axioms written by hand select.
func shapes() map[string]string {
	return map[string]string{"queue": "queue", "stack": "stack", "bag": "bag", "register": "register", "lock": "lock", "priorityqueue": "priority queue"}
}

// TestMonitor: axioms select the procedure of their type, which decides as a
// search over an executable model does.
func TestMonitor(t *testing.T) {
	for _, s := range append(types(), historytest.Bag()) {
		want, ok := shapes()[s.Name]
		if !ok {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			th := load(t, s.Name)
			s.Methods = slices.DeleteFunc(slices.Clone(s.Methods), func(m historytest.Method) bool {
				return !slices.ContainsFunc(th.Spec.Methods, func(n history.MethodSig) bool { return n.Name == m.Name })
			})
			m, err := checktest.Procedure(t.Context(), th)
			if err != nil || m.Shape() != want {
				t.Fatalf("%v, want the procedure for a %s", err, want)
			}
			engine := checktest.Prepare(t, checktest.By{Engine: "monitor"}, th)
			counts := map[check.Verdict]int{}
			n := testsize.Samples(1000)
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 9))
				e := s.Execution(r, 2+r.IntN(8), 1+r.IntN(5), 4)
				res, err := engine.Check(t.Context(), th, e)
				if errors.As(err, new(*monitor.OutsideClass)) {
					continue
				}
				shortest := s.Model.ShortestViolation(e)
				if err != nil || (res.Verdict == check.Linearizable) != (shortest == 0) || res.Verdict == check.Violation && (res.Prefix != shortest || !known(th, res.Patterns)) {
					t.Fatalf("seed %d: %+v, %v, the model says %d\n%s", seed, res, err, shortest, historytest.Text(e))
				}
				counts[res.Verdict]++
			}
			if counts[check.Violation] < int(n)/10 || counts[check.Linearizable] < int(n)/10 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// known reports whether names are those of axioms, one at least.
func known(th *theory.Theory, names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool {
		return !slices.ContainsFunc(th.Spec.Axioms, func(a theory.Rule) bool { return a.Name == n })
	})
}

// TestNoMonitor: axioms of which one is missing, or says less, select nothing, or
// what they say now.
func TestNoMonitor(t *testing.T) {
	without := func(name, axiom string) *theory.Theory {
		th := load(t, name)
		th.Spec.Axioms = slices.DeleteFunc(th.Spec.Axioms, func(a theory.Rule) bool { return a.Name == axiom })
		return th
	}
	late := load(t, "queue") // first in, first out, but for values added at once after an empty queue
	weaker, err := formula.Parse("forall a1:Op, a2:Op, r2:Op. method(a1) = add & method(r2) = remove & match(r2) = a2 & before(a1, a2)"+
		" -> exists r1:Op. method(r1) = remove & outcome(r1) = value & match(r1) = a1", late.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for i := range late.Spec.Axioms {
		if late.Spec.Axioms[i].Name == "fifo" {
			late.Spec.Axioms[i].Formula = weaker
		}
	}
	for _, tt := range []struct {
		name string
		th   *theory.Theory
		want string
	}{
		{"a queue without order is a bag", without("queue", "fifo"), "bag"},
		{"a queue's order says of nil what empty says", without("queue", "empty"), "queue"},
		{"a stack's does not", without("stack", "empty"), ""},
		{"values out of nowhere", without("stack", "addrem"), ""},
		{"values that leave twice", without("stack", "injective"), ""},
		{"an order of those only that are removed", late, ""},
		{"a lock that two may hold", without("lock", "mutex"), ""},
		{"a semaphore", load(t, "semaphore"), "semaphore"},
		{"a semaphore that gives permits twice", without("semaphore", "injective"), ""},
		{"a semaphore without a limit", without("semaphore", "limit"), ""},
		{"a set by its values", load(t, "plainset"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := checktest.Procedure(t.Context(), tt.th)
			if got := shapeOf(m); got != tt.want || err != nil && !errors.As(err, new(*monitor.NotRecognized)) {
				t.Errorf("%q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func shapeOf(m *monitor.Procedure) string {
	if m == nil {
		return ""
	}
	return m.Shape()
}
