package symbolic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
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
				ends := logs.Ends(e)
				for _, i := range r.Perm(len(ends)) {
					got, err := l.Decide(t.Context(), ends[i])
					if err != nil {
						t.Fatal(err)
					}
					counts[got]++
					want := s.Model.Linearizable(e.Prefix(ends[i]))
					if got != symbolic.Outside && (got == symbolic.Linearizable) != want {
						historytest.Fatal(t, e, "seed %d: the first %d events are %v, the model says %v", seed, ends[i], got, want)
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

// TestCore compares cores with the definition, on executions without pending
// operations: every linearization shows one of the patterns and axioms named, and
// for each of them there is one that shows none of the others. Clauses that come
// from axioms are named by one axiom each, but may need others.
func TestCore(t *testing.T) {
	n := testsize.Samples(500)
	for _, s := range historytest.Subjects() {
		th := s.Theory(t)
		rules := compile(t, th, clauses.OfPatterns)
		if rules.FromAxioms {
			continue
		}
		t.Run(s.Path, func(t *testing.T) {
			cores := 0
			for seed := range n {
				e := s.Type.Execution(rand.New(rand.NewPCG(seed, 29)), 5, 3, 2)
				if rules.Validate(e) != nil || pending(e) {
					continue
				}
				l, err := symbolic.New(t.Context(), rules, e, symbolic.Options{Named: true})
				if err != nil {
					t.Fatal(err)
				}
				core, err := l.Core(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if (len(core) > 0) == s.Model.Linearizable(e) {
					historytest.Fatal(t, e, "seed %d: core %q", seed, core)
				}
				if len(core) == 0 {
					continue
				}
				cores++
				if admits(t, historytest.Only(th, core), e) {
					historytest.Fatal(t, e, "seed %d: %q are not enough for", seed, core)
				}
				for i := range core {
					if !admits(t, historytest.Only(th, append(core[:i:i], core[i+1:]...)), e) {
						historytest.Fatal(t, e, "seed %d: of %q number %d is not needed for", seed, core, i)
					}
				}
			}
			if cores < int(n)/20 {
				t.Errorf("%d cores are too few", cores)
			}
		})
	}
}

func pending(e *history.Execution) bool {
	for i := range e.Ops {
		if !e.Ops[i].Completed() {
			return true
		}
	}
	return false
}

// admits reports whether a theory admits some order of an execution's operations
// that real time allows.
func admits(t *testing.T, th *theory.Theory, e *history.Execution) bool {
	t.Helper()
	sequences := th.Sequences()
	var extend func(labels []history.Label, taken uint) bool
	extend = func(labels []history.Label, taken uint) bool {
		if len(labels) == len(e.Ops) {
			admitted, inside, err := sequences.Admits(t.Context(), labels)
			if err != nil || !inside {
				t.Fatalf("in the language %v, %v", inside, err)
			}
			return admitted
		}
		for i := range e.Ops {
			free := taken>>i&1 == 0
			for j := range e.Ops {
				free = free && (taken>>j&1 == 1 || !e.Before(j, i))
			}
			if free && extend(append(labels[:len(labels):len(labels)], e.Ops[i].Label), taken|1<<i) {
				return true
			}
		}
		return false
	}
	return extend(nil, 0)
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
// and is not with two values exchanged that were returned far from each other.
func TestLong(t *testing.T) {
	for _, s := range historytest.Examples() {
		if s.Name == "set" {
			continue // an insert that does not return may leave the language
		}
		t.Run(s.Name, func(t *testing.T) {
			s.Lost = 50
			rules := compile(t, historytest.Example(t, s.Name), clauses.Compile)
			e := s.Execution(rand.New(rand.NewPCG(3, 43)), 1_000, 4, 0)
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
			var returned []*history.Operation
			for i := range e.Ops {
				if e.Ops[i].Outcome == history.Some {
					returned = append(returned, &e.Ops[i])
				}
			}
			first, last := returned[len(returned)/2], returned[len(returned)-1]
			first.Rets, last.Rets = last.Rets, first.Rets
			if a := decide(); a != symbolic.Violation {
				t.Errorf("exchanged: got %v, want a violation", a)
			}
		})
	}
}
