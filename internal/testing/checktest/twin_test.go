package checktest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

func start(tb testing.TB, path string) *checktest.Enumerate {
	tb.Helper()
	n, err := checktest.NewEnumerate(historytest.Theory(tb, path+".theory.yaml"))
	if err != nil {
		tb.Fatal(err)
	}
	return n
}

// TestTypes compares verdict and shortest prefix with a search over the data
// type, and cores with the verdict, also where clauses do not say what the theory
// does.
func TestTypes(t *testing.T) {
	n := max(400, testsize.Samples(500))
	subjects := append(historytest.Subjects(),
		historytest.Subject{Path: "theories/semaphore", Type: historytest.Semaphore()},
		historytest.Subject{Path: "theories/plainset", Type: historytest.PlainSet()})
	for _, s := range subjects {
		t.Run(s.Path, func(t *testing.T) {
			engine := start(t, s.Path)
			linearizable, violating, inconclusive := 0, 0, 0
			for seed := range n {
				e := s.Random(rand.New(rand.NewPCG(seed, 37)), 5)
				got, err := engine.Check(t.Context(), e)
				if outside(err) {
					continue
				}
				if err != nil {
					historytest.Fatal(t, e, "seed %d: %v", seed, err)
				}
				want := s.Model.ShortestViolation(e)
				switch {
				case got.Linearizable:
					linearizable++
				case got.Violation > 0:
					violating++
				default:
					inconclusive++
					continue
				}
				if got.Linearizable != (want == 0) || got.Violation != want && got.Detail == "" || got.Violation < want {
					historytest.Fatal(t, e, "seed %d: got %+v, the model says %d", seed, got, want)
				}
				core, err := engine.Core(t.Context(), e.Prefix(max(got.Violation, want)))
				if want > 0 && (err != nil || len(core) == 0) {
					historytest.Fatal(t, e, "seed %d: core %q, %v", seed, core, err)
				}
			}
			t.Logf("%d linearizable, %d violating, %d inconclusive", linearizable, violating, inconclusive)
			if linearizable < int(n)/8 || violating < int(n)/8 || inconclusive > int(n)/5 {
				t.Error("too one-sided a sample")
			}
		})
	}
}

func outside(err error) bool {
	return errors.As(err, new(*clauses.LanguageError)) || errors.As(err, new(*ground.Ambiguous))
}

// TestRefused: theories of overlapping operations, and operations that a theory
// does not know, are errors.
func TestRefused(t *testing.T) {
	if _, err := checktest.NewEnumerate(historytest.Theory(t, "theories/exchanger.theory.yaml")); err == nil {
		t.Error("a theory of width 2 is taken")
	}
	unknown := history.Sequential(history.Label{Kind: history.Kind{Method: "push", Outcome: history.None}})
	if _, err := start(t, "theories/queue").Check(t.Context(), unknown); !errors.As(err, new(*clauses.LabelError)) {
		t.Errorf("an unknown method: %v", err)
	}
}

// ending is a context that ends after it was asked a number of times.
type ending struct {
	context.Context
	left *int
}

func (c ending) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: there are more linearizations than anybody waits for, and the
// end of the context ends it.
func TestInterrupted(t *testing.T) {
	e := &history.Execution{}
	for i := range 12 {
		label := history.Label{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: []history.Value{history.Value(string(rune('a' + i)))}}
		e.Ops = append(e.Ops, history.Operation{ID: string(rune('a' + i)), Call: i, Return: 12 + i, Label: label})
	}
	last := history.Label{Kind: history.Kind{Method: "remove", Outcome: history.Nil}}
	e.Ops = append(e.Ops, history.Operation{ID: "last", Call: 24, Return: 25, Label: last})
	e.Events = 26
	polls := 100
	got, err := start(t, "theories/queue").Check(ending{t.Context(), &polls}, e)
	if err != nil || got.Linearizable || got.Violation != 0 || got.Detail != "the check was interrupted" {
		t.Errorf("got %+v, %v", got, err)
	}
}
