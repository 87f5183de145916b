package matching

import (
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// Predicate is a property of two operations that a matching may depend on: a
// formula over labels with free variables among x, the operation, and y, its
// would-be match target.
type Predicate struct {
	Formula formula.Formula
	Cost    int // what it adds to the size of a scheme; simpler ones cost less

	// Shown, if set, stands for Formula in the scheme that is found: a declared
	// predicate by its name.
	Shown formula.Formula
}

// Declared are the declared predicates with one or two parameters, for use
// beside the standard ones. They cost more, so that they are used where those do
// not do.
func Declared(v *formula.Vocabulary) []Predicate {
	var ps []Predicate
	for _, p := range v.Predicates {
		var uses [][]string
		switch len(p.Params) {
		case 1:
			uses = [][]string{{"x"}, {"y"}}
		case 2:
			uses = [][]string{{"x", "y"}, {"y", "x"}}
		}
		for _, args := range uses {
			atom := formula.Atom{Name: p.Name, Args: args}
			ps = append(ps, Predicate{Formula: formula.Expand(atom, v), Cost: 3, Shown: atom})
		}
	}
	return ps
}

// Identity says that an operation is its own target. Under a predicate set that
// has it, an operation is its own target only if no other operation is.
var identity = formula.Equal{A: formula.Term{Var: "x"}, B: formula.Term{Var: "y"}}

// Standard are the predicates that every signature gives: the methods and
// outcomes of both operations, equality of each pair of their values that have
// one sort, and identity.
func Standard(a *enumerate.Alphabet) []Predicate {
	ps := []Predicate{{Formula: identity, Cost: 1}}
	for _, v := range []string{"y", "x"} {
		for _, m := range methods(a) {
			ps = append(ps, Predicate{Formula: Is("method", v, m, formula.MethodSort), Cost: 2})
		}
		for _, o := range outcomes(a) {
			ps = append(ps, Predicate{Formula: Is("outcome", v, string(o), formula.OutcomeSort), Cost: 2})
		}
	}
	for _, e := range equalities(a) {
		ps = append(ps, Predicate{Formula: e, Cost: 1})
	}
	return ps
}

func methods(a *enumerate.Alphabet) []string {
	var ms []string
	for _, k := range a.Kinds {
		ms = appendNew(ms, k.Kind.Method)
	}
	return ms
}

// outcomes are those that distinguish kinds of one method.
func outcomes(a *enumerate.Alphabet) []history.Outcome {
	var os []history.Outcome
	for _, k := range a.Kinds {
		if alone(a, k.Kind.Method) {
			continue
		}
		os = appendNew(os, k.Outcome)
	}
	return os
}

// alone reports whether a method has one kind only.
func alone(a *enumerate.Alphabet, method string) bool {
	n := 0
	for _, k := range a.Kinds {
		if k.Kind.Method == method {
			n++
		}
	}
	return n == 1
}

func appendNew[T comparable](s []T, v T) []T {
	if slices.Contains(s, v) {
		return s
	}
	return append(s, v)
}

// equalities compare a value of y with one of x, for all positions that share a
// sort. Positions that always agree within one kind are still listed: other
// kinds may need them.
func equalities(a *enumerate.Alphabet) []formula.Formula {
	var fs []formula.Formula
	ys, xs := positions(a), positions(a)
	for _, y := range ys {
		for _, x := range xs {
			if y.sorts&x.sorts != 0 {
				fs = append(fs, formula.Equal{A: y.term("y"), B: x.term("x")})
			}
		}
	}
	return fs
}

// place is an argument or return position, with the sorts kinds have there.
type place struct {
	fn    string
	index int
	sorts uint64
}

func (p place) term(v string) formula.Term {
	return formula.Term{Fn: p.fn, Var: v, Index: p.index, Sort: formula.ValueSort}
}

func positions(a *enumerate.Alphabet) []place {
	var ps []place
	add := func(fn string, index, sort int) {
		for i := range ps {
			if ps[i].fn == fn && ps[i].index == index {
				ps[i].sorts |= 1 << sort
				return
			}
		}
		ps = append(ps, place{fn, index, 1 << sort})
	}
	for _, k := range a.Kinds {
		for p, s := range k.Sorts {
			if p < k.Args {
				add("arg", p+1, s)
			} else {
				add("ret", p-k.Args+1, s)
			}
		}
	}
	return ps
}

// table evaluates predicates on labels and numbers their valuations.
type table struct {
	alphabet   *enumerate.Alphabet
	predicates []Predicate
	identity   bool // the predicates distinguish an operation from its double

	ids        map[string]int
	valuations []valuation
	pair       [][]int32 // by labels of an operation and of another: its valuation plus one, or 0
	self       []int32   // by label
}

// valuation is the truth of each predicate for one kind of pair.
type valuation struct {
	bits []bool
	self bool            // met as an operation with itself
	x, y enumerate.Label // an example
}

func newTable(a *enumerate.Alphabet, ps []Predicate) *table {
	t := &table{alphabet: a, predicates: ps, ids: map[string]int{}}
	for _, p := range ps {
		t.identity = t.identity || p.Formula == formula.Formula(identity)
	}
	return t
}

// of is the valuation of operations op and target of an execution.
func (t *table) of(e []enumerate.Label, target, op int) int {
	x, y := e[op], e[target]
	if known := t.alphabet.Len(); len(t.self) < known {
		t.self = append(t.self, make([]int32, known-len(t.self))...)
		t.pair = append(t.pair, make([][]int32, known-len(t.pair))...)
	}
	if target == op {
		if t.self[x] == 0 {
			t.self[x] = int32(t.number(x, x, true)) + 1
		}
		return int(t.self[x]) - 1
	}
	if len(t.pair[x]) <= int(y) {
		t.pair[x] = append(t.pair[x], make([]int32, len(t.self)-len(t.pair[x]))...)
	}
	if t.pair[x][y] == 0 {
		t.pair[x][y] = int32(t.number(x, y, false)) + 1
	}
	return int(t.pair[x][y]) - 1
}

func (t *table) number(x, y enumerate.Label, self bool) int {
	ls := Labels{t.alphabet.Text(x)}
	env := map[string]int{"x": 0, "y": 0}
	if !self {
		ls, env["y"] = append(ls, t.alphabet.Text(y)), 1
	}
	bits := make([]bool, len(t.predicates))
	key := make([]byte, len(bits))
	for i, p := range t.predicates {
		if bits[i] = formula.Eval(p.Formula, ls, env); bits[i] {
			key[i] = 1
		}
	}
	if v, ok := t.ids[string(key)]; ok {
		return v
	}
	t.ids[string(key)] = len(t.valuations)
	t.valuations = append(t.valuations, valuation{bits, self, x, y})
	return len(t.valuations) - 1
}

// pairText is a pair of operations with the valuation: "remove => 1 to add(1)".
func (t *table) pairText(v int) string {
	val := t.valuations[v]
	if val.self {
		return t.alphabet.Text(val.x).String() + " to itself"
	}
	return t.alphabet.Text(val.x).String() + " to " + t.alphabet.Text(val.y).String()
}
