package matching_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// clearable is a set of which all can be thrown away, too.
type clearable struct{ values map[int]bool }

func (c *clearable) Insert(v int) bool {
	if c.values == nil {
		c.values = map[int]bool{}
	}
	was := c.values[v]
	c.values[v] = true
	return !was
}

func (c *clearable) Remove(v int) bool {
	was := c.values[v]
	delete(c.values, v)
	return was
}

func (c *clearable) Clear() { clear(c.values) }

// growing never lets a value go.
type growing struct{ c clearable }

func (g *growing) Insert(v int) bool   { return g.c.Insert(v) }
func (g *growing) Contains(v int) bool { return g.c.values[v] }

var insertedOnce = []reference.Rule{{
	Name: "insert-once",
	Formula: "forall x:Op, y:Op. method(x) = insert & outcome(x) = true & method(y) = insert & outcome(y) = true" +
		" & arg(x) = arg(y) -> x = y",
}}

func TestBeyond(t *testing.T) {
	const again = "forall x:Op, y:Op. method(x) = insert & outcome(x) = nil & method(y) = insert & outcome(y) = nil & arg(x) = arg(y) & x != y" +
		" -> exists z:Op. method(z) = remove & outcome(z) = value & arg(z) = arg(x)"
	specs := append([]reference.Spec{
		{Name: "clearable", New: func() *clearable { return &clearable{} }, Language: insertedOnce},
		{Name: "growing", New: func() *growing { return &growing{} }, Language: insertedOnce},
	}, exampleTypes...)
	for _, spec := range specs {
		t.Run(spec.Name, func(t *testing.T) {
			impl, err := reference.New(spec)
			if err != nil {
				t.Fatal(err)
			}
			defer impl.Close()
			var rules []theory.Rule
			for _, r := range spec.Language {
				f, err := formula.Parse(r.Formula, nil)
				if err != nil {
					t.Fatal(err)
				}
				rules = append(rules, theory.Rule{Name: r.Name, Formula: f})
			}
			m, err := matching.Explore(t.Context(), impl, rules, 0)
			if err != nil {
				t.Fatal(err)
			}
			found, report, err := m.Beyond(t.Context(), impl, rules, matching.DefaultBudget)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, r := range found {
				got = append(got, formula.String(r.Formula))
			}
			if spec.Name == "set" {
				want = []string{again}
			}
			if diff := cmp.Diff(want, got); diff != "" || report.Length < 4 {
				t.Errorf("%+v; -want +got\n%s", report, diff)
			}
		})
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	impl, err := reference.New(exampleTypes[3])
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	f, _ := formula.Parse(exampleTypes[3].Language[0].Formula, nil)
	rules := []theory.Rule{{Name: "insert-once", Formula: f}}
	m, err := matching.Explore(t.Context(), impl, rules, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Beyond(cancelled, impl, rules, matching.DefaultBudget); err == nil {
		t.Error("no error although the context is done")
	}
}

// TestBeyondLong: what theories say beyond their language holds of long random
// sequences, too.
func TestBeyondLong(t *testing.T) {
	th := historytest.Example(t, "set")
	if len(th.Spec.Beyond) != 1 {
		t.Fatalf("%d statements", len(th.Spec.Beyond))
	}
	holds := formula.Compile(th.Spec.Beyond[0].Formula)
	outside := formula.Compile(formula.Not{F: th.Spec.Language[0].Formula})
	broken, set := 0, historytest.Set()
	for seed := range uint64(2_000) {
		e := set.Execution(rand.New(rand.NewPCG(seed, 1)), 20, 1, 0)
		var labels matching.Labels
		for i := range e.Ops {
			if e.Ops[i].Completed() {
				labels = append(labels, &e.Ops[i].Label)
			}
		}
		if !holds(labels, nil) {
			t.Fatalf("not after seed %d:\n%s", seed, historytest.Text(e))
		}
		if outside(labels, nil) {
			broken++
		}
	}
	if broken < 500 {
		t.Errorf("only %d sequences break the rule", broken)
	}
	two := history.Label{Kind: history.Kind{Method: "insert", Outcome: history.Nil}, Args: []history.Value{"1"}}
	if holds(matching.Labels{&two, &two}, nil) {
		t.Error("two inserts alone are admitted")
	}
}
