// Package axioms makes automata of what axioms say, where they speak of one key at a time or of
// calls without arguments, or are those of a semaphore (SemaphoreOf). It knows no engine: evidence rests on it, too.
//
//	spec := axioms.Automaton(t)      // nil if there is none
//	spec = axioms.Meaning(ctx, t)    // that, or a semaphore's
//
// Parts. Let each method of a theory have one argument, its key. A variable is tied if what its quantifier ranges
// over says that its key is that of a variable before it: forall a:Op. arg(a) = arg(c) & ... -> ..., or exists
// r:Op. arg(r) = arg(a) & .... Matches are replaced by what the matching says of them. Let each formula of the
// theory have one variable that is not tied, at most, and be it universal and not below an existential one. Then
// whatever value that variable has, only operations with its key matter. So a sequence is admitted iff, for each
// key, the operations with that key are. The theory is a product, and so executions may be decided key by key
// ("Faster linearizability checking via P-compositionality").
//
// The automaton of a part. With one key, and returned values that are the key, an operation is one of finitely
// many letters, and the theory is a sentence of first-order logic over words with <. What it says of the letters
// to come, once a letter has come, is such a sentence, too:
//
//   - there is y such that F(y) becomes F(x), x being the letter that came, or there is a y to come such that
//     F(y);
//   - what F says of x alone is known; x comes before all that is to come and is none of it; so no mention of x is
//     left.
//
// Quantifiers are not nested deeper than before. By induction over their depth there are finitely many such
// sentences, up to order and repetition in conjunctions and disjunctions, which is how they are written. They are
// the states; a state accepts if its sentence holds of the empty word. Automaton wants more: what is excluded
// stays excluded, and no call can be answered in two ways in one state. Means compares with another automaton,
// pair of states by pair of states.
//
// Random sentences are compared with the definition after each letter (TestResiduals), whole theories on all short
// sequences (TestAutomaton).
package axioms

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// What is given up: axioms that need more states, or states of longer texts.
const (
	mostStates = 64
	mostText   = 5_000
)

// Automaton is what the axioms of a theory say, as an automaton, or as one for each key
// where each method has one argument and no axiom sees further than the operations
// with the same one; nil if there is none that answers each call in one way. There are
// no match targets, no rules of the language, and no other values than the keys.
func Automaton(t *theory.Theory) *theory.Spec {
	s := &t.Spec
	if len(s.Patterns)+len(s.Matching.Target)+len(s.Language)+len(s.MayFail) > 0 || len(s.Axioms) == 0 {
		return nil
	}
	part := &theory.Spec{Width: s.Width}
	p := &theory.Product{}
	for _, m := range s.Methods {
		if slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Rets > 0 }) {
			return nil
		}
		part.Methods = append(part.Methods, history.MethodSig{Name: m.Name, Outcomes: m.Outcomes, Aliases: m.Aliases})
		p.Keys = append(p.Keys, theory.Key{Method: m.Name, Role: theory.ByKey})
	}
	r, f, ok := sentence(t)
	if !ok {
		return nil
	}
	if part.Automaton = r.automaton(f, part.Methods); part.Automaton == nil {
		return nil
	}
	if !r.keyed {
		return part
	}
	p.Part = *part
	return &theory.Spec{Width: s.Width, Methods: s.Methods, Product: p}
}

// Means reports whether a theory admits the sequences of operations with one key that an
// automaton does, where each method has one argument and nothing that the theory
// says sees further than the operations with the same one; false if that cannot be told.
// What is returned must be the argument, by axioms about labels. The automaton starts in
// state 0; next says where an operation leads: what leads to a state below 0 is excluded.
func Means(t *theory.Theory, next func(state int, k history.Kind) int) bool {
	if !agrees(t) {
		return false
	}
	r, f, ok := sentence(t)
	if !ok || !r.keyed {
		return false
	}
	type both struct{ own, other int }
	known, todo := map[both]bool{}, []both{{r.state(r.after(f, nil, nil)), 0}}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if known[x] {
			continue
		}
		known[x] = true
		if r.states[x.own].ends != (x.other >= 0) {
			return false
		}
		for k := range r.kinds {
			y := both{r.next(x.own, k), -1}
			if x.other >= 0 {
				y.other = next(x.other, r.kinds[k])
			}
			todo = append(todo, y)
		}
		if r.failed || len(r.states) > mostStates {
			return false
		}
	}
	return true
}

// agrees reports whether what operations return is their argument, by the axioms about
// labels.
func agrees(t *theory.Theory) bool {
	claims := *t
	claims.Spec.Patterns, claims.Spec.Axioms, claims.Spec.Language = nil, nil, nil
	for _, a := range t.Spec.Axioms {
		if q, ok := a.Formula.(formula.Quantified); ok && q.Forall && len(q.Vars) == 1 && semantics.LabelsOnly(formula.Expand(a.Formula, t.Vocabulary())) {
			claims.Spec.Axioms = append(claims.Spec.Axioms, a)
		}
	}
	s := claims.Formulas().Sequences()
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		for _, o := range m.Outcomes {
			l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Args: []history.Value{"1"}, Rets: []history.Value{"2"}}
			if o.Rets == 0 {
				continue
			}
			if admitted, _, err := s.Admits(context.Background(), []history.Label{l}); o.Rets > 1 || m.Args != 1 || admitted || err != nil {
				return false
			}
		}
	}
	return true
}

// residuals computes what formulas say of the operations to come.
type residuals struct {
	kinds  []history.Kind
	values map[history.Kind]bool // those that return the key
	keyed  bool                  // all operations have the same argument; otherwise none
	states []residual
	known  map[string]int
	failed bool
}

// residual is a state: a formula, whether it holds if nothing comes any more, and where each
// kind of operation leads, as far as that is known.
type residual struct {
	f    formula.Formula
	ends bool
	next []int
}

// sentence is all that a theory says of sequences, of those with one key if its
// methods take one; false if a part of it sees further, or names or compares values.
func sentence(t *theory.Theory) (*residuals, formula.Formula, bool) {
	s := &t.Spec
	if s.Headline() != theory.ByPatterns || s.Control != nil || s.Matching.Past || s.Width > 1 {
		return nil, nil, false
	}
	r := &residuals{keyed: s.Methods[0].Args == 1, values: map[history.Kind]bool{}, known: map[string]int{}}
	for i := range s.Methods {
		if m := &s.Methods[i]; m.Args > 1 || m.Args != s.Methods[0].Args {
			return nil, nil, false
		}
		for _, o := range s.Methods[i].Outcomes {
			k := history.Kind{Method: s.Methods[i].Name, Outcome: o.Outcome}
			r.kinds, r.values[k] = append(r.kinds, k), o.Rets > 0
		}
	}
	own, v := t.Vocabulary(), matches(t)
	var all formula.And
	for _, rule := range slices.Concat(s.Language, s.Axioms) {
		all = append(all, formula.Expand(unmatched(formula.Expand(rule.Formula, own)), v))
	}
	for i := range s.Patterns {
		p := &s.Patterns[i]
		f := p.Formula
		if f == nil {
			f = formula.Embed(&p.History)
		}
		all = append(all, formula.Expand(unmatched(formula.Not{F: formula.Expand(f, own)}), v))
	}
	for _, f := range all {
		if x, ok := semantics.Apart(f); r.keyed && (!ok || x.Most > 1) || len(semantics.Named(f))+len(semantics.Compared(f)) > 0 {
			return nil, nil, false
		}
	}
	return r, all, true
}

// Predicates that stand for the terms of matches.
const (
	matchIs  = "match is"
	matchOf  = "same match"
	matchNum = "match target "
)

// matches has the matching of a theory as predicates.
func matches(t *theory.Theory) *formula.Vocabulary {
	own, v := t.Vocabulary(), &formula.Vocabulary{}
	declare := func(name string, f formula.Formula, params ...string) {
		v.Predicates = append(v.Predicates, formula.Predicate{Name: name, Params: params, Body: formula.Expand(f, &formula.Vocabulary{Predicates: slices.Concat(own.Predicates, v.Predicates)})})
	}
	is := func(name, x, y string) formula.Formula { return formula.Atom{Name: name, Args: []string{x, y}} }
	exists := func(f formula.Formula) formula.Formula {
		return formula.Quantified{Vars: []string{"z"}, Body: f}
	}
	var any formula.Or
	for i, f := range t.Spec.Matching.Target {
		name := matchNum + strconv.Itoa(i)
		declare(name, f, "x", "y")
		first := formula.And{is(name, "x", "y")}
		for j := range i {
			first = append(first, formula.Not{F: exists(is(matchNum+strconv.Itoa(j), "x", "z"))})
		}
		any = append(any, first)
	}
	declare(matchIs, any, "x", "y")
	declare(matchOf, exists(formula.And{is(matchIs, "x", "z"), is(matchIs, "y", "z")}), "x", "y")
	declare("unmatched", formula.Not{F: exists(is(matchIs, "x", "z"))}, "x")
	readOnly := t.Spec.Matching.ReadOnly
	if readOnly == nil {
		readOnly = formula.Const(false)
	}
	declare("readonly", readOnly, "x")
	return v
}

// unmatched is a formula with these predicates for terms of matches.
func unmatched(f formula.Formula) formula.Formula {
	return formula.Rebuild(f, func(f formula.Formula) formula.Formula {
		e, ok := f.(formula.Equal)
		if !ok || e.A.Fn != "match" && e.B.Fn != "match" {
			return f
		}
		if e.A.Fn != "match" {
			e.A, e.B = e.B, e.A
		}
		name := matchIs
		if e.B.Fn == "match" {
			name = matchOf
		}
		return formula.Atom{Name: name, Args: []string{e.A.Var, e.B.Var}}
	})
}

// automaton is the one of the operations after which a formula holds; nil if there is
// none.
func (r *residuals) automaton(f formula.Formula, methods []history.MethodSig) *automata.Automaton {
	r.state(r.after(f, nil, nil))
	for i := 0; i < len(r.states) && !r.failed; i++ {
		for k := range r.kinds {
			r.next(i, k)
		}
		r.failed = r.failed || len(r.states) > mostStates
	}
	if r.failed {
		return nil
	}
	class := r.classes()
	for i, s := range r.states {
		for _, next := range s.next {
			if !s.ends && r.states[next].ends { // what is excluded must stay so
				return nil
			}
		}
		if !s.ends && i == 0 {
			return nil
		}
	}
	return r.drawn(class, methods)
}

// next is where an operation of a kind leads.
func (r *residuals) next(state, kind int) int {
	if kind == len(r.states[state].next) {
		n := r.state(r.after(r.states[state].f, &r.kinds[kind], nil))
		r.states[state].next = append(r.states[state].next, n)
	}
	return r.states[state].next[kind]
}

// state is the number of a state.
func (r *residuals) state(f formula.Formula) int {
	text := formula.String(f)
	if n, ok := r.known[text]; ok {
		return n
	}
	r.failed = r.failed || len(text) > mostText
	n := len(r.states)
	r.known[text] = n
	r.states = append(r.states, residual{f: f, ends: r.empty(f)})
	return n
}

// classes numbers states so that those have the same number from which the same may
// come.
func (r *residuals) classes() []int {
	class := make([]int, len(r.states))
	for many := 0; ; {
		numbers := map[string]int{}
		next := make([]int, len(class))
		for i, s := range r.states {
			key := strconv.FormatBool(s.ends) + strconv.Itoa(class[i])
			for _, n := range s.next {
				key += " " + strconv.Itoa(class[n])
			}
			n, ok := numbers[key]
			if !ok {
				n = len(numbers)
				numbers[key] = n
			}
			next[i] = n
		}
		if class = next; len(numbers) == many {
			return class
		}
		many = len(numbers)
	}
}

// drawn is the automaton with a location for each class in which something may come; nil if
// some call may be answered in two ways.
func (r *residuals) drawn(class []int, methods []history.MethodSig) *automata.Automaton {
	a := &automata.Automaton{Methods: methods}
	place, first := map[int]int{}, []int{}
	for i, s := range r.states {
		if _, ok := place[class[i]]; !ok && s.ends {
			place[class[i]], first = len(first), append(first, i)
		}
	}
	for n, i := range first {
		l := automata.Location{Name: "s" + strconv.Itoa(n+1)}
		for _, m := range methods {
			t := automata.Transition{Method: m.Name, Blocks: true}
			for k, next := range r.states[i].next {
				if r.kinds[k].Method != m.Name || !r.states[next].ends {
					continue
				}
				if !t.Blocks {
					return nil
				}
				t.Blocks, t.Outcome, t.To = false, r.kinds[k].Outcome, place[class[next]]
			}
			l.Transitions = append(l.Transitions, t)
		}
		a.Locations = append(a.Locations, l)
	}
	return a
}
