package formula

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// queueVocabulary is what most tests speak of.
func queueVocabulary() *Vocabulary {
	v := &Vocabulary{Methods: []history.MethodSig{
		{Name: "add", Args: 1, Outcomes: []history.OutcomeSig{{Outcome: history.None}}},
		{Name: "remove", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}, {Outcome: history.Nil}}},
		{Name: "put", Args: 2, Outcomes: []history.OutcomeSig{{Outcome: "full"}, {Outcome: history.True}}},
	}}
	v.Predicates = []Predicate{{Name: "removes", Params: []string{"r", "a"}}, {Name: "early", Params: []string{"x"}}}
	body, err := Parse("method(r) = remove & ret(r) = arg(a)", &Vocabulary{Methods: v.Methods}, "r", "a")
	if err != nil {
		panic(err)
	}
	v.Predicates[0].Body = body
	early := &Vocabulary{Methods: v.Methods, Predicates: v.Predicates[:1]}
	if v.Predicates[1].Body, err = Parse("forall y:Op. before(y, x) -> exists r:Op. removes(r, y)", early, "x"); err != nil {
		panic(err)
	}
	return v
}

// formulaGen draws well-sorted formulas over queueVocabulary.
type formulaGen struct {
	t       *rapid.T
	strange bool // constants that need quotes, empty and single-element lists
	budget  int  // quantified variables left to bind
}

func (g *formulaGen) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "pick") }

func (g *formulaGen) oneOf(names ...string) string { return names[g.pick(len(names))] }

func (g *formulaGen) formula(depth int, scope []string) Formula {
	if depth == 0 || len(scope) > 0 && g.pick(5) == 0 {
		return g.literal(scope)
	}
	switch g.pick(8) {
	case 0:
		return Not{g.formula(depth-1, scope)}
	case 1, 2:
		return And(g.list(depth, scope))
	case 3:
		return Or(g.list(depth, scope))
	case 4:
		return Implies{g.formula(depth-1, scope), g.formula(depth-1, scope)}
	case 5:
		return Iff{g.formula(depth-1, scope), g.formula(depth-1, scope)}
	}
	return g.quantified(depth, scope)
}

func (g *formulaGen) list(depth int, scope []string) []Formula {
	n := 2 + g.pick(2)
	if g.strange {
		n = g.pick(4)
	}
	fs := []Formula{}
	for range n {
		fs = append(fs, g.formula(depth-1, scope))
	}
	return fs
}

func (g *formulaGen) quantified(depth int, scope []string) Formula {
	n := 1 + g.pick(2)
	if g.strange && g.pick(8) == 0 {
		n = 0
	}
	if g.budget -= n; g.budget < 0 {
		return g.literal(scope)
	}
	q := Quantified{Forall: g.pick(2) == 0}
	for range n {
		q.Vars = append(q.Vars, fmt.Sprintf("v%d", len(scope)+len(q.Vars)))
	}
	q.Body = g.formula(depth-1, slices.Concat(scope, q.Vars))
	return q
}

func (g *formulaGen) literal(scope []string) Formula {
	if len(scope) == 0 {
		return Const(g.pick(2) == 0)
	}
	x, y := g.oneOf(scope...), g.oneOf(scope...)
	switch g.pick(12) {
	case 0:
		return Const(g.pick(2) == 0)
	case 1, 2:
		return Atom{"before", []string{x, y}}
	case 3:
		return Atom{g.oneOf("unmatched", "completed", "readonly"), []string{x}}
	case 4:
		return g.predicate(x, y)
	case 5:
		return g.comparison(x, y)
	}
	e := g.equation(x, y)
	if g.pick(3) == 0 {
		return Not{e}
	}
	return e
}

func (g *formulaGen) predicate(x, y string) Formula {
	if g.pick(2) == 0 {
		return Atom{"early", []string{x}}
	}
	return Atom{"removes", []string{x, y}}
}

// comparison is of integers, or of places where other values may stand, too.
func (g *formulaGen) comparison(x, y string) Formula {
	number := func(x string) Term {
		t := g.value(x)
		if t.Var == "" && !wording.IsInteger(history.Value(t.Name)) {
			t = Term{Fn: "arg", Var: x, Index: 1}
		}
		return t
	}
	l := Less{number(x), number(y)}
	if l.A.Var == "" && l.B.Var == "" {
		l.A = Term{Fn: "ret", Var: x, Index: 1}
	}
	if g.pick(3) == 0 {
		return Not{l}
	}
	return l
}

func (g *formulaGen) equation(x, y string) Formula {
	var e Equal
	switch g.pick(5) {
	case 0:
		e = Equal{Term{Var: x}, g.opTerm(y)}
	case 1:
		e = Equal{Term{Fn: "match", Var: x}, g.opTerm(y)}
	case 2:
		e = Equal{Term{Fn: "method", Var: x}, g.nameTerm("method", MethodSort, y, "add", "remove", "put")}
	case 3:
		e = Equal{Term{Fn: "outcome", Var: x}, g.nameTerm("outcome", OutcomeSort, y, "value", "nil", "true", "full", "none")}
	default:
		e = Equal{g.value(x), g.value(y)}
	}
	if g.pick(4) == 0 {
		e.A, e.B = e.B, e.A
	}
	return e
}

func (g *formulaGen) opTerm(y string) Term {
	if g.pick(3) == 0 {
		return Term{Fn: "match", Var: y}
	}
	return Term{Var: y}
}

func (g *formulaGen) nameTerm(fn string, s Sort, y string, names ...string) Term {
	if g.pick(3) == 0 {
		return Term{Fn: fn, Var: y}
	}
	return Term{Name: g.oneOf(names...), Sort: s}
}

func (g *formulaGen) value(x string) Term {
	switch g.pick(5) {
	case 0:
		names := []string{"1", "2", "10"}
		if g.strange {
			names = append(names, "a b", "\"", "01", "-7", "", "∀\n", "nil")
		}
		return Term{Name: g.oneOf(names...), Sort: ValueSort}
	case 1:
		return Term{Fn: "ret", Var: x, Index: 1}
	case 2:
		return Term{Fn: "arg", Var: x, Index: 2}
	}
	return Term{Fn: "arg", Var: x, Index: 1}
}

// drawFormula draws a formula with the given free variables.
func drawFormula(t *rapid.T, strange bool, free ...string) Formula {
	g := &formulaGen{t: t, strange: strange, budget: 3}
	return g.formula(rapid.IntRange(0, 4).Draw(t, "depth"), free)
}

// testStructure is a structure given by tables.
type testStructure struct {
	labels     []history.Label
	start, end []int
	match      []int
	readonly   []bool
}

func (s *testStructure) Len() int                   { return len(s.labels) }
func (s *testStructure) Label(i int) *history.Label { return &s.labels[i] }
func (s *testStructure) Before(i, j int) bool       { return s.end[i] < s.start[j] }
func (s *testStructure) Match(i int) int            { return s.match[i] }
func (s *testStructure) ReadOnly(i int) bool        { return s.readonly[i] }
func (s *testStructure) Completed(i int) bool       { return s.labels[i].Outcome != history.Pending }

// randomStructure has n operations of queueVocabulary, some of them pending,
// with values from few, in some interval order, matched at random.
func randomStructure(r *rand.Rand, n int) *testStructure {
	s := &testStructure{}
	for i := range n {
		kinds := []history.Label{
			{Kind: history.Kind{Method: "add", Outcome: history.None}, Args: randomValues(r, 1)},
			{Kind: history.Kind{Method: "remove", Outcome: history.Some}, Rets: randomValues(r, 1)},
			{Kind: history.Kind{Method: "remove", Outcome: history.Nil}},
			{Kind: history.Kind{Method: "put", Outcome: "full"}, Args: randomValues(r, 2)},
			{Kind: history.Kind{Method: "add"}, Args: randomValues(r, 1)},
		}
		l := kinds[r.IntN(len(kinds))]
		start := r.IntN(2*n + 1)
		end := start + r.IntN(4)
		if l.Outcome == history.Pending {
			end = history.Never
		}
		s.labels, s.start, s.end = append(s.labels, l), append(s.start, start), append(s.end, end)
		s.readonly = append(s.readonly, r.IntN(3) == 0)
		s.match = append(s.match, r.IntN(i+2)-1)
	}
	return s
}

func randomValues(r *rand.Rand, n int) []history.Value {
	var vs []history.Value
	for range n {
		vs = append(vs, []history.Value{"1", "2", "10", "1", "2", "10", "a"}[r.IntN(7)])
	}
	return vs
}

func drawStructure(t *rapid.T, least int) *testStructure {
	n := rapid.IntRange(least, 4).Draw(t, "operations")
	return randomStructure(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), n)
}
