package matching

import (
	"fmt"
	"sort"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
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

// language is a candidate: its rules, and how much they restrict.
type language struct {
	rules       []theory.Rule
	introducers int // that may bring in a value once only
}

// languages lists the candidates; readOnly is by kind.
func languages(a *enumerate.Alphabet, readOnly []bool) []language {
	list := []language{{}}
	seen := map[string]bool{}
	var kinds, methods []introducer
	for k, kind := range a.Kinds {
		if readOnly[k] {
			continue
		}
		for p := 1; p <= kind.Args; p++ {
			one := introducer{method: kind.Kind.Method, arg: p, args: kind.Args}
			methods = appendNew(methods, one)
			if !alone(a, kind.Kind.Method) {
				one.outcome = string(kind.Outcome)
			}
			kinds = append(kinds, one)
		}
	}
	for _, from := range [][]introducer{kinds, methods} {
		for _, set := range subsets(from) {
			rules := once(set)
			if key := fmt.Sprint(set); !seen[key] && len(list) < mostLanguages {
				seen[key] = true
				list = append(list, language{rules, len(set)})
			}
		}
	}
	return list
}

// introducer is an argument of a kind, or of a method with any outcome, that
// brings in values.
type introducer struct {
	method, outcome string
	arg, args       int
}

// subsets lists the non-empty subsets with one argument of a kind at most, small
// ones first.
func subsets(from []introducer) [][]introducer {
	var sets [][]introducer
	for s := 1; s < 1<<min(len(from), 8); s++ {
		var set []introducer
		taken := map[string]bool{}
		for i := range from {
			if s>>i&1 == 1 {
				set = append(set, from[i])
				taken[from[i].method+" "+from[i].outcome] = true
			}
		}
		if len(set) == len(taken) {
			sets = append(sets, set)
		}
	}
	sort.SliceStable(sets, func(i, j int) bool { return len(sets[i]) < len(sets[j]) })
	return sets
}

// once is the rules that no value is brought in by two operations of the set.
// Introducers that use the same argument share a rule.
func once(set []introducer) []theory.Rule {
	byArg := map[int][]introducer{}
	most := 0
	for _, i := range set {
		byArg[i.arg] = append(byArg[i.arg], i)
		most = max(most, i.arg)
	}
	var rules []theory.Rule
	for p := 1; p <= most; p++ {
		for q := p; q <= most; q++ {
			if len(byArg[p]) > 0 && len(byArg[q]) > 0 {
				rules = append(rules, atMostOnce(byArg[p], byArg[q], p, q))
			}
		}
	}
	return rules
}

func atMostOnce(first, second []introducer, p, q int) theory.Rule {
	arg := func(v string, index int) formula.Term {
		return formula.Term{Fn: "arg", Var: v, Index: index, Sort: formula.ValueSort}
	}
	body := formula.And{among(first, "x"), among(second, "y"), formula.Equal{A: arg("x", p), B: arg("y", q)}}
	var names, readings []string
	for i, set := range [][]introducer{first, second} {
		if i == 1 && p == q {
			break
		}
		for _, in := range set {
			names = append(names, in.method)
			readings = append(readings, in.reading())
		}
	}
	return theory.Rule{
		Name: strings.Join(names, "-") + "-once",
		Formula: formula.Quantified{Forall: true, Vars: []string{"x", "y"}, Body: formula.Implies{
			A: formula.Simplify(body), B: formula.Equal{A: formula.Term{Var: "x"}, B: formula.Term{Var: "y"}},
		}},
		Reading: onceReading(readings, first, p == q),
	}
}

// onceReading says in a sentence what the rule of some introducers demands.
func onceReading(readings []string, first []introducer, same bool) string {
	if one := first[0]; same && len(first) == 1 && one.args > 1 {
		calls := one.method
		if one.outcome != "" {
			calls += " that answer " + one.outcome
		}
		return fmt.Sprintf("no two calls of %s have the same %s", calls, ordinalArgument(one.arg))
	}
	return fmt.Sprintf("each value is passed to %s at most once", strings.Join(readings, " or "))
}

// reading names an introducer: "put", "put as its 2nd argument", "insert with answer nil".
func (i introducer) reading() string {
	s := i.method
	if i.args > 1 {
		s += " as its " + ordinalArgument(i.arg)
	}
	if i.outcome != "" {
		s += " with answer " + i.outcome
	}
	return s
}

func ordinalArgument(n int) string {
	suffix := "th"
	if n <= 3 {
		suffix = [...]string{"", "st", "nd", "rd"}[n]
	}
	return fmt.Sprintf("%d%s argument", n, suffix)
}

func among(set []introducer, v string) formula.Formula {
	var or formula.Or
	for _, i := range set {
		and := formula.And{Is("method", v, i.method, formula.MethodSort)}
		if i.outcome != "" {
			and = append(and, Is("outcome", v, i.outcome, formula.OutcomeSort))
		}
		or = append(or, formula.Normal(and))
	}
	return formula.Normal(or)
}

// unseen lists the kinds of operations that the reference shows and a sample of
// its executions in some language does not: nothing would be said about them.
func unseen(a *enumerate.Alphabet, s *sample) []history.Kind {
	shown := make([]bool, len(a.Kinds))
	for _, e := range s.admitted {
		for _, l := range e {
			shown[a.KindOf(l)] = true
		}
	}
	var never []history.Kind
	for k, ok := range shown {
		if !ok {
			never = append(never, a.Kinds[k].Kind)
		}
	}
	return never
}
