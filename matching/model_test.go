package matching_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	_ "github.com/adtinfer/adtinfer/internal/testing/testsize" // collects garbage less often
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

var exampleTypes = []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec}

// modelOf builds the model of a spec, parsing its formulas without a vocabulary.
func modelOf(t *testing.T, spec reference.Spec, past bool) (*matching.Model, error) {
	t.Helper()
	impl, err := reference.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { impl.Close() })
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, nil, free...)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	m := theory.Matching{Past: past, ReadOnly: parse(spec.ReadOnly, "x")}
	for _, s := range spec.Target {
		m.Target = append(m.Target, parse(s, "x", "y"))
	}
	var rules []theory.Rule
	for _, r := range spec.Language {
		rules = append(rules, theory.Rule{Name: r.Name, Formula: parse(r.Formula)})
	}
	explored, err := matching.Explore(context.Background(), impl, rules, 0)
	if err != nil {
		return nil, err
	}
	return explored.With(m)
}

func check(t *testing.T, spec reference.Spec) error {
	t.Helper()
	m, err := modelOf(t, spec, false)
	if err != nil {
		return err
	}
	b := matching.Budget{MinLength: 4, MaxLength: 4}
	if _, err := m.Faithful(context.Background(), b); err != nil {
		return err
	}
	_, err = m.Normal(context.Background(), b)
	return err
}

func TestExamplesAreFaithfulAndNormal(t *testing.T) {
	for _, spec := range exampleTypes {
		if err := check(t, spec); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}

// counterType answers with numbers nobody passed in.
type counterType struct{ n int }

func (c *counterType) Inc()     { c.n++ }
func (c *counterType) Get() int { return c.n }

// boundedType is a queue of two places that says when it is full.
type boundedType struct{ values []int }

func (b *boundedType) Add(v int) bool {
	if len(b.values) == 2 {
		return false
	}
	b.values = append(b.values, v)
	return true
}

func (b *boundedType) Remove() (int, bool) {
	if len(b.values) == 0 {
		return 0, false
	}
	v := b.values[0]
	b.values = b.values[1:]
	return v, true
}

// priorityType removes the smallest value.
type priorityType struct{ values []int }

func (p *priorityType) Add(v int) { p.values = append(p.values, v) }

func (p *priorityType) Remove() (int, bool) {
	if len(p.values) == 0 {
		return 0, false
	}
	slices.Sort(p.values)
	v := p.values[0]
	p.values = p.values[1:]
	return v, true
}

// tableOf maps keys to values.
type tableOf map[int]int

func (m tableOf) Put(k, v int)          { m[k] = v }
func (m tableOf) Get(k int) (int, bool) { v, ok := m[k]; return v, ok }
func (m tableOf) Delete(k int)          { delete(m, k) }

func addOnce(method string) []reference.Rule {
	return []reference.Rule{{
		Name:    "once",
		Formula: "forall x:Op, y:Op. method(x) = " + method + " & method(y) = " + method + " & arg(x) = arg(y) -> x = y",
	}}
}

func TestSchemesThatDoNotFit(t *testing.T) {
	paperSet := set.Spec
	paperSet.Target = []string{"x = y & outcome(x) = nil", "method(y) = insert & outcome(y) = nil & arg(y) = ret(x)"}
	for _, c := range []struct {
		name string
		spec reference.Spec
		want string
	}{
		{
			"set with failed operations matching themselves", paperSet,
			"matching: not faithful: insert(1) => nil; remove(2) => nil is admitted and insert(1) => nil; remove(1) => nil is not, but they have the same history",
		},
		{
			"counter", reference.Spec{Name: "counter", New: func() *counterType { return &counterType{} }, ReadOnly: "method(x) = get"},
			"matching: not faithful: in get => 0, get returns a value that no operation passed in, and a matching cannot tell it from any other value",
		},
		{
			"bounded queue", reference.Spec{
				Name: "bounded", New: func() *boundedType { return &boundedType{} }, Language: addOnce("add"),
				Target:   []string{"method(y) = add & outcome(y) = true & arg(y) = ret(x)", "x = y & (method(x) = add | outcome(x) = nil)"},
				ReadOnly: "outcome(x) = nil | outcome(x) = false",
			},
			"matching: not normal: add(1) => true; add(2) => true; add(3) => false is admitted, but add(2) => true; add(3) => false is not, which comes from it by removing a whole match",
		},
		{
			"priority queue", reference.Spec{
				Name: "priority", New: func() *priorityType { return &priorityType{} }, Language: addOnce("add"),
				Target:   queue.Spec.Target,
				ReadOnly: "outcome(x) = nil",
			},
			"matching: not faithful: add(1); add(2); remove => 1 is admitted and add(2); add(1); remove => 2 is not, but they have the same history",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := check(t, c.spec)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestMapWithDeleteIsRefused(t *testing.T) {
	err := check(t, reference.Spec{
		Name: "table", New: func() tableOf { return tableOf{} },
		Language: []reference.Rule{{Name: "put-once", Formula: "forall x:Op, y:Op. method(x) = put & method(y) = put & arg(x, 2) = arg(y, 2) -> x = y"}},
		Target:   []string{"method(y) = put & arg(y, 2) = ret(x)", "x = y & (method(x) = put | method(x) = delete | outcome(x) = nil)"},
		ReadOnly: "method(x) = get",
	})
	var unfaithful *matching.Unfaithful
	if !errors.As(err, &unfaithful) {
		t.Errorf("got %v, want an unfaithfulness", err)
	}
}

// Every history that links describe is realized by an execution with that
// history, and every execution in the language has a history that links
// describe: enumerating histories loses nothing.
func TestHistoriesAreThoseOfExecutions(t *testing.T) {
	for _, spec := range exampleTypes {
		for _, past := range []bool{false, true} {
			m, err := modelOf(t, spec, past)
			if err != nil {
				t.Fatal(err)
			}
			n := 4
			if len(m.Alphabet.Kinds) > 4 {
				n = 3
			}
			ofExecutions := map[string]bool{}
			for length := 0; length <= n; length++ {
				m.Alphabet.Executions(length, m.Language.Extends, func(e []enumerate.Label) bool {
					s, err := m.Scheme.Abstract(nil, e)
					if err != nil {
						t.Fatal(err)
					}
					ofExecutions[string(s.AppendKey(nil))] = true
					return true
				})
			}
			realized := 0
			r := m.NewRealizer()
			m.Links.Histories(enumerate.Bounds{Length: n}, func(s enumerate.Sequence) bool {
				if _, ok := r.Realize(s); ok {
					realized++
					if !ofExecutions[string(s.AppendKey(nil))] {
						t.Errorf("%s: %v has no execution", spec.Name, s)
					}
				}
				return true
			})
			if realized != len(ofExecutions) {
				t.Errorf("%s, past %v: %d histories realized, %d exist", spec.Name, past, realized, len(ofExecutions))
			}
		}
	}
}

// A removal from the history is the history of the removal from the execution.
func TestRemovalsCommuteWithAbstraction(t *testing.T) {
	for _, spec := range exampleTypes {
		m, err := modelOf(t, spec, false)
		if err != nil {
			t.Fatal(err)
		}
		m.Alphabet.Executions(3, m.Language.Extends, func(e []enumerate.Label) bool {
			s, _ := m.Scheme.Abstract(nil, e)
			s.Removals(func(_ string, positions []int) bool {
				rest := s.Without(nil, positions)
				var shorter []enumerate.Label
				for i, l := range e {
					if !slices.Contains(positions, i) {
						shorter = append(shorter, l)
					}
				}
				got, _ := m.Scheme.Abstract(nil, shorter)
				if !slices.Equal(got, rest) {
					t.Errorf("%s: removing %v from %s", spec.Name, positions, history.Sequential(m.Alphabet.Texts(e)...))
				}
				return true
			})
			return true
		})
	}
}
