package automaton

import (
	"maps"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/about"
	"github.com/adtinfer/adtinfer/theory"
)

// What is given up: axioms that need more states, or states of longer texts.
const (
	mostStates = 64
	mostText   = 20_000
)

// OfAxioms is what the axioms of a theory say, as an automaton, or as one for each key
// where each method has one argument and no axiom sees further than the operations
// with the same one; nil if there is none that answers each call in one way. There are
// no match targets, and no other values than the keys.
//
// It is exact. A state is what must hold of the operations to come: a formula. After an
// operation x of some kind, "there is a y such that F(y)" says that F(x), or that there
// is such a y to come; what F says of operations that were there and others to come is
// known, since those come first, and so it is left out. So formulas get no deeper, and
// there are finitely many, up to order and repetition in conjunctions and disjunctions.
func OfAxioms(t *theory.Theory) *theory.Spec {
	s := &t.Spec
	if s.Headline() != theory.ByPatterns || s.Control != nil || s.Width > 1 || len(s.Patterns)+len(s.Matching.Target)+len(s.Language)+len(s.MayFail) > 0 || len(s.Axioms) == 0 {
		return nil
	}
	args := s.Methods[0].Args
	part := &theory.Spec{Width: s.Width}
	p := &theory.Product{}
	for _, m := range s.Methods {
		if m.Args != args || args > 1 {
			return nil
		}
		own := history.MethodSig{Name: m.Name, Outcomes: m.Outcomes, Aliases: m.Aliases}
		part.Methods = append(part.Methods, own)
		p.Keys = append(p.Keys, theory.Key{Method: m.Name, Role: theory.ByKey})
	}
	r, v := &residuals{keyed: args == 1}, t.Vocabulary()
	var axioms formula.And
	for _, a := range s.Axioms {
		f := formula.Expand(a.Formula, v)
		if x, ok := about.Apart(f); args == 1 && (!ok || x.Most > 1) || len(about.Named(f))+len(about.Compared(f)) > 0 {
			return nil
		}
		axioms = append(axioms, f)
	}
	for i := range s.Methods {
		for _, o := range s.Methods[i].Outcomes {
			if o.Rets > 0 {
				return nil
			}
			r.kinds = append(r.kinds, history.Kind{Method: s.Methods[i].Name, Outcome: o.Outcome})
		}
	}
	if part.Automaton = r.automaton(axioms, part.Methods); part.Automaton == nil {
		return nil
	}
	if args == 0 {
		return part
	}
	p.Part = *part
	return &theory.Spec{Width: s.Width, Methods: s.Methods, Product: p}
}

// residuals computes what formulas say of the operations to come.
type residuals struct {
	kinds  []history.Kind
	keyed  bool // all operations have the same argument; otherwise none
	states []residual
	known  map[string]int
	failed bool
}

// residual is a state: a formula, whether it holds if nothing comes any more, and where each
// kind of operation leads.
type residual struct {
	f    formula.Formula
	ends bool
	next []int
}

// automaton is the one of the operations after which a formula holds; nil if there is
// none.
func (r *residuals) automaton(f formula.Formula, methods []history.MethodSig) *automata.Automaton {
	r.known = map[string]int{}
	r.state(r.after(f, nil, nil))
	for i := 0; i < len(r.states) && !r.failed; i++ {
		for k := range r.kinds {
			next := r.state(r.after(r.states[i].f, &r.kinds[k], nil))
			r.states[i].next = append(r.states[i].next, next)
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

// after is what a formula says once an operation of some kind has come, which the
// variables in now stand for; nil: it is only made shorter. Without an argument that is a key
// all arguments are none. It fails on what it does not know.
func (r *residuals) after(f formula.Formula, kind *history.Kind, now []string) formula.Formula {
	list := func(fs []formula.Formula, and bool) formula.Formula {
		var all []formula.Formula
		for _, g := range fs {
			all = append(all, r.after(g, kind, now))
		}
		return joined(all, and)
	}
	switch f := f.(type) {
	case formula.Const:
		return f
	case formula.Not:
		return negated(r.after(f.F, kind, now))
	case formula.And:
		return list(f, true)
	case formula.Or:
		return list(f, false)
	case formula.Implies:
		return list([]formula.Formula{formula.Not{F: f.A}, f.B}, false)
	case formula.Iff:
		a, b := r.after(f.A, kind, now), r.after(f.B, kind, now)
		return joined([]formula.Formula{joined([]formula.Formula{a, b}, true), joined([]formula.Formula{negated(a), negated(b)}, true)}, false)
	case formula.Quantified:
		return r.quantified(f, kind, now)
	case formula.Equal:
		return r.equal(r.term(f.A, kind, now), r.term(f.B, kind, now))
	case formula.Atom:
		switch {
		case f.Name == "completed", f.Name == "unmatched":
			return formula.Const(true)
		case f.Name != "before":
		case slices.Contains(now, f.Args[1]), f.Args[0] == f.Args[1]:
			return formula.Const(false)
		case slices.Contains(now, f.Args[0]):
			return formula.Const(true)
		default:
			return f
		}
	}
	r.failed = true
	return f
}

func (r *residuals) quantified(f formula.Quantified, kind *history.Kind, now []string) formula.Formula {
	if len(f.Vars) == 0 {
		return r.after(f.Body, kind, now)
	}
	x, rest := f.Vars[0], formula.Formula(formula.Quantified{Forall: f.Forall, Vars: f.Vars[1:], Body: f.Body})
	others := slices.DeleteFunc(slices.Clone(now), func(v string) bool { return v == x })
	later := r.after(rest, kind, others)
	if later != formula.Formula(formula.Const(f.Forall)) {
		later = formula.Quantified{Forall: f.Forall, Vars: []string{x}, Body: later}
	}
	if kind == nil {
		return later
	}
	return joined([]formula.Formula{r.after(rest, kind, append(others, x)), later}, f.Forall)
}

// What terms without a variable stand for, beside methods and outcomes.
var (
	nothing = formula.Term{Name: "nothing"}
	theKey  = formula.Term{Name: "key"}
	theOp   = formula.Term{Name: "operation"} // that has come
)

// term is what a term stands for.
func (r *residuals) term(t formula.Term, kind *history.Kind, now []string) formula.Term {
	came := slices.Contains(now, t.Var)
	switch {
	case t.Fn == "arg" && t.Index <= 1 && r.keyed:
		return theKey
	case t.Fn == "arg" || t.Fn == "ret" || t.Fn == "match":
		return nothing
	case came && t.Fn == "method":
		return formula.Term{Name: kind.Method, Sort: formula.MethodSort}
	case came && t.Fn == "outcome":
		return formula.Term{Name: string(kind.Outcome), Sort: formula.OutcomeSort}
	case came:
		return theOp
	}
	return t
}

func (r *residuals) equal(a, b formula.Term) formula.Formula {
	switch {
	case a == nothing || b == nothing:
		return formula.Const(false)
	case a == b:
		return formula.Const(true)
	case a.Var == "" && b.Var == "", a == theOp || b == theOp:
		return formula.Const(false)
	}
	return formula.Equal{A: a, B: b}
}

// empty reports whether a formula holds where nothing comes.
func (r *residuals) empty(f formula.Formula) bool {
	switch f := f.(type) {
	case formula.Const:
		return bool(f)
	case formula.Quantified:
		return f.Forall
	case formula.Not:
		return !r.empty(f.F)
	case formula.And:
		return !slices.ContainsFunc(f, func(g formula.Formula) bool { return !r.empty(g) })
	case formula.Or:
		return slices.ContainsFunc(f, r.empty)
	}
	r.failed = true
	return false
}

func negated(f formula.Formula) formula.Formula {
	switch f := f.(type) {
	case formula.Const:
		return !f
	case formula.Not:
		return f.F
	}
	return formula.Not{F: f}
}

// joined is the conjunction or disjunction, each part once, in order of their texts.
func joined(fs []formula.Formula, and bool) formula.Formula {
	parts := map[string]formula.Formula{}
	for len(fs) > 0 {
		f := fs[0]
		fs = fs[1:]
		switch g := f.(type) {
		case formula.Const:
			if bool(g) != and {
				return g
			}
			continue
		case formula.And:
			if and {
				fs = append(slices.Clone(fs), g...)
				continue
			}
		case formula.Or:
			if !and {
				fs = append(slices.Clone(fs), g...)
				continue
			}
		}
		parts[formula.String(f)] = f
	}
	var sorted []formula.Formula
	for _, text := range slices.Sorted(maps.Keys(parts)) {
		if not, ok := parts[text].(formula.Not); ok && parts[formula.String(not.F)] != nil {
			return formula.Const(!and)
		}
		sorted = append(sorted, parts[text])
	}
	switch {
	case len(sorted) == 0:
		return formula.Const(and)
	case len(sorted) == 1:
		return sorted[0]
	case and:
		return formula.And(sorted)
	}
	return formula.Or(sorted)
}
