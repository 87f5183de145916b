package synthesis

import (
	"fmt"
	"sort"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/theory"
)

// Languages are tried from the most general on:
//
//  1. all executions;
//  2. each value is passed at most once to some operations with a given answer
//     ("inserted successfully at most once"), to few such kinds before many;
//  3. each value is passed at most once to some methods, whatever they answer.
//
// Kinds whose operations change nothing are never asked for: they introduce no
// value.
const mostLanguages = 100

// languages lists the candidates; readOnly is by kind.
func languages(a *enumerate.Alphabet, readOnly []bool) [][]theory.Rule {
	list := [][]theory.Rule{nil}
	seen := map[string]bool{}
	add := func(rules []theory.Rule) {
		if key := formula.String(rules[0].Formula); !seen[key] && len(list) < mostLanguages {
			seen[key] = true
			list = append(list, rules)
		}
	}
	var kinds, methods []introducer
	for k, kind := range a.Kinds {
		if kind.Args == 0 || readOnly[k] {
			continue
		}
		one := introducer{method: kind.Kind.Method, args: kind.Args}
		methods = appendNew(methods, one)
		if !alone(a, kind.Kind.Method) {
			one.outcome = string(kind.Outcome)
		}
		kinds = append(kinds, one)
	}
	for _, from := range [][]introducer{kinds, methods} {
		for _, set := range subsets(from) {
			for p := 1; p <= fewestArgs(set); p++ {
				add([]theory.Rule{once(set, p)})
			}
		}
	}
	return list
}

// introducer is a kind, or a method with any outcome, that brings in values.
type introducer struct {
	method, outcome string
	args            int
}

func fewestArgs(set []introducer) int {
	n := set[0].args
	for _, i := range set {
		n = min(n, i.args)
	}
	return n
}

// subsets lists the non-empty subsets, small ones first.
func subsets(from []introducer) [][]introducer {
	var sets [][]introducer
	for s := 1; s < 1<<min(len(from), 6); s++ {
		var set []introducer
		for i := range from {
			if s>>i&1 == 1 {
				set = append(set, from[i])
			}
		}
		sets = append(sets, set)
	}
	sort.SliceStable(sets, func(i, j int) bool { return len(sets[i]) < len(sets[j]) })
	return sets
}

// once is the rule that no value is the p-th argument of two operations of the
// set.
func once(set []introducer, p int) theory.Rule {
	arg := func(v string) formula.Term {
		return formula.Term{Fn: "arg", Var: v, Index: p, Sort: formula.ValueSort}
	}
	body := formula.And{among(set, "x"), among(set, "y"), formula.Equal{A: arg("x"), B: arg("y")}}
	var names, readings []string
	for _, i := range set {
		names = append(names, i.method)
		reading := i.method
		if i.outcome != "" {
			reading += " with answer " + i.outcome
		}
		readings = append(readings, reading)
	}
	what := "each value"
	if p > 1 || fewestArgs(set) > 1 {
		what = fmt.Sprintf("each value of argument %d", p)
	}
	return theory.Rule{
		Name: strings.Join(names, "-") + "-once",
		Formula: formula.Quantified{Forall: true, Vars: []string{"x", "y"}, Body: formula.Implies{
			A: formula.Simplify(body), B: formula.Equal{A: formula.Term{Var: "x"}, B: formula.Term{Var: "y"}},
		}},
		Reading: fmt.Sprintf("%s is passed to %s at most once", what, strings.Join(readings, " or ")),
	}
}

func among(set []introducer, v string) formula.Formula {
	var or formula.Or
	for _, i := range set {
		and := formula.And{is("method", v, i.method, formula.MethodSort)}
		if i.outcome != "" {
			and = append(and, is("outcome", v, i.outcome, formula.OutcomeSort))
		}
		or = append(or, formula.Normal(and))
	}
	return formula.Normal(or)
}
