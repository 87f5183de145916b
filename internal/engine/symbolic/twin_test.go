package symbolic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/overlap"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/historytest"
	"github.com/adtinfer/adtinfer/internal/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

func compile(t *testing.T, th *theory.Theory, how func(*theory.Theory) (*clauses.Rules, error)) *symbolic.Rules {
	t.Helper()
	r, err := how(th)
	if err != nil {
		t.Fatal(err)
	}
	return symbolic.Compile(r)
}

// TestEveryPrefix decides every prefix of random executions, in random order by
// one solver, and compares with a search over the data type. Where running
// operations may lead outside the language the answer may be that; no other may
// be wrong. Half of the executions are decided with derived clauses.
func TestEveryPrefix(t *testing.T) {
	n := testsize.Samples(3_000)
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			th := s.Theory(t)
			plain, derived := compile(t, th, clauses.OfPatterns), compile(t, th, clauses.Compile)
			counts := map[symbolic.Answer]int{}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 23))
				rules := plain
				if seed%2 == 1 {
					rules = derived
				}
				e := s.Random(r, 8)
				if rules.Validate(e) != nil {
					continue
				}
				l, err := symbolic.New(t.Context(), rules, e, symbolic.Options{})
				if err != nil {
					t.Fatal(err)
				}
				ends := overlap.Ends(e)
				for _, i := range r.Perm(len(ends)) {
					got, err := l.Decide(t.Context(), ends[i])
					if err != nil {
						t.Fatal(err)
					}
					counts[got]++
					want := s.Model.Linearizable(e.Prefix(ends[i]))
					if got != symbolic.Outside && (got == symbolic.Linearizable) != want {
						t.Fatalf("seed %d: the first %d events are %v, the model says %v\n%s", seed, ends[i], got, want, historytest.Text(e))
					}
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			}
			t.Log(counts)
			if counts[symbolic.Violation] < int(n)/3 || counts[symbolic.Linearizable] < int(n)/3 || counts[symbolic.Outside] > int(n)/5 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// TestInterrupted: the end of the context is an error, not an answer.
func TestInterrupted(t *testing.T) {
	queue := historytest.Queue()
	rules := compile(t, historytest.Example(t, "queue"), clauses.OfPatterns)
	e := queue.Execution(rand.New(rand.NewPCG(1, 1)), 40, 4, 0)
	l, err := symbolic.New(t.Context(), rules, e, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Decide(ctx, e.Events); !errors.Is(err, context.Canceled) {
		t.Errorf("Decide: %v", err)
	}
	if _, err := symbolic.New(ctx, rules, e, symbolic.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("New: %v", err)
	}
	if _, err := l.Decide(t.Context(), 1); err == nil {
		t.Error("a prefix that ends with no return is decided")
	}
}

// TestLong: a long execution with operations that never return is linearizable,
// and is not with two values exchanged that were removed far from each other.
func TestLong(t *testing.T) {
	queue := historytest.Queue()
	queue.Lost = 50
	rules := compile(t, historytest.Example(t, "queue"), clauses.Compile)
	e := queue.Execution(rand.New(rand.NewPCG(3, 43)), int(testsize.Samples(5_000)), 4, 0)
	decide := func() symbolic.Answer {
		l, err := symbolic.New(t.Context(), rules, e, symbolic.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := l.Decide(t.Context(), e.Events)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := decide(); a != symbolic.Linearizable {
		t.Errorf("got %v, want linearizable", a)
	}
	var removes []*history.Operation
	for i := range e.Ops {
		if e.Ops[i].Outcome == history.Some {
			removes = append(removes, &e.Ops[i])
		}
	}
	first, last := removes[len(removes)/2], removes[len(removes)-1]
	first.Rets, last.Rets = last.Rets, first.Rets
	if a := decide(); a != symbolic.Violation {
		t.Errorf("exchanged: got %v, want a violation", a)
	}
}
