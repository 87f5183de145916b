package adttest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/history"
)

func newGeneratorFor(t *testing.T, c Config, seed uint64) (*generator, *subject) {
	t.Helper()
	c, err := c.withDefaults(environment{})
	if err != nil {
		t.Fatal(err)
	}
	th, err := readTheory(c.Theory)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSubject(&c, inferred{theory: th})
	if err != nil {
		t.Fatal(err)
	}
	return newGenerator(t.Context(), s, &c, rand.New(rand.NewPCG(seed, 0))), s
}

var generated = []Config{
	{New: func() *queue.Queue { return &queue.Queue{} }, Theory: queueTheory},
	{New: func() *set.Set { return &set.Set{} }, Theory: "../examples/set/set.theory.yaml"},
	{New: func() *lock.Lock { return &lock.Lock{} }, Theory: "../examples/lock/lock.theory.yaml"},
}

// TestLanguage makes up scenarios and asks the engine whether their calls alone
// are outside the language.
func TestLanguage(t *testing.T) {
	for _, c := range generated {
		g, s := newGeneratorFor(t, c, 1)
		repeats := false
		for range 100 {
			sc := g.next()
			if len(sc.Threads) < 2 || len(sc.Threads) > 3 || slices.ContainsFunc(sc.Threads, func(t []Call) bool { return len(t) > 4 }) {
				t.Fatalf("%s", sc)
			}
			e := &history.Execution{}
			used := map[any]bool{}
			for _, calls := range append([][]Call{sc.Before, sc.After}, sc.Threads...) {
				for _, call := range calls {
					o := history.Operation{ID: strconv.Itoa(e.Events), Label: history.Label{Kind: history.Kind{Method: s.method(call.Method).name}}, Call: e.Events, Return: history.NoReturn}
					for _, a := range call.Args {
						o.Args = append(o.Args, history.Value(strconv.Itoa(a.(int))))
						repeats = repeats || used[a]
						used[a] = true
					}
					e.Ops = append(e.Ops, o)
					e.Events++
				}
			}
			var outside *check.OutsideLanguage
			if _, err := s.exact.Check(t.Context(), e); errors.As(err, &outside) {
				t.Fatalf("%v\n%s", err, sc)
			}
		}
		if s.theory.Name == "set" && !repeats {
			t.Errorf("%s: no value occurs twice", s.theory.Name)
		}
	}
}

// TestSeed makes up the same scenarios from the same seed, and others from
// another.
func TestSeed(t *testing.T) {
	for _, c := range generated {
		a, _ := newGeneratorFor(t, c, 5)
		b, _ := newGeneratorFor(t, c, 5)
		d, _ := newGeneratorFor(t, c, 6)
		var as, bs, ds []Scenario
		for range 20 {
			as, bs, ds = append(as, a.next()), append(bs, b.next()), append(ds, d.next())
		}
		if diff := cmp.Diff(as, bs); diff != "" {
			t.Errorf("seed 5 differs from itself: %s", diff)
		}
		if cmp.Equal(as, ds) {
			t.Errorf("seeds 5 and 6 do not differ")
		}
	}
}

// TestSmaller looks whether each smaller scenario has less, and all with one
// call less are there.
func TestSmaller(t *testing.T) {
	g, _ := newGeneratorFor(t, generated[0], 3)
	for range 200 {
		sc := g.next()
		ones := 0
		for _, s := range smaller(sc) {
			if s.size() >= sc.size() {
				t.Fatalf("%s\nis not smaller than\n%s", s, sc)
			}
			if s.size() == sc.size()-1 {
				ones++
			}
		}
		if ones < sc.size() && sc.size() > 1 {
			t.Fatalf("%d of %d calls are left out:\n%s", ones, sc.size(), sc)
		}
	}
}

// TestScenarioOf records a round and reads the scenario back.
func TestScenarioOf(t *testing.T) {
	g, s := newGeneratorFor(t, generated[1], 4)
	for range 50 {
		sc := g.next()
		b, err := newBatch(t.Context(), s, sc, 3, patience, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		rounds, stuck, err := b.run()
		if err != nil || len(stuck) > 0 || len(rounds) != 3 {
			t.Fatal(len(rounds), stuck, err)
		}
		for _, e := range rounds {
			if len(e.Ops) != sc.size() || e.Events != 2*sc.size() {
				t.Fatalf("%d operations, %d events of\n%s", len(e.Ops), e.Events, sc)
			}
			got, err := s.scenarioOf(e, func(string) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != sc.String() {
				t.Fatalf("got\n%swant\n%s", got, sc)
			}
		}
	}
}
