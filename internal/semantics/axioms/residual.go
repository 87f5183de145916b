package axioms

import (
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// after is what a formula says once an operation of some kind has come, which the
// variables in now stand for; nil: it is only made shorter. It fails on what it does not
// know.
//
// It is exact. "There is a y such that F(y)" says that F(x), of the operation x that has
// come, or that there is such a y to come. What F says of x and operations to come is known,
// since x comes first and is none of them. So formulas get no deeper, and there are
// finitely many, up to order and repetition in conjunctions and disjunctions.
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
		case f.Name == "completed":
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
	case t.Fn == "ret" && came && r.values[*kind]:
		return theKey
	case t.Fn == "ret" && !came && r.keyed && t.Var != "":
		return t
	case t.Fn == "arg" || t.Fn == "ret":
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
