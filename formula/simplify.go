package formula

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Simplify is an equivalent formula, as a rule a shorter one: it has the same
// truth value in every structure, the empty one included. It folds constants,
// flattens conjunctions and disjunctions, drops duplicate and resolves
// complementary operands, removes double negations and unused variables, merges
// nested quantifiers of one kind, and replaces a quantified x by y where x = y
// is required (the one-point rule).
//
// Because structures may be empty, a closed exists x:Op. true or forall x:Op.
// false is left as it is; inside a quantifier, or next to free variables, there
// is an operation, and it folds. Constants move to the right of equations. No
// use is made of what before, match or the vocabulary mean. Simplify is
// idempotent; it takes O(size²) time a step, and as many steps as it has effects.
func Simplify(f Formula) Formula {
	inhabited := len(freeVars(f)) > 0
	f = Normal(f)
	for {
		g := simplify(f, inhabited)
		if same(f, g, false) {
			return g
		}
		f = g
	}
}

// simplify is one step, innermost formulas first. inhabited says that there
// must be an operation.
func simplify(f Formula, inhabited bool) Formula {
	if q, ok := f.(Quantified); ok {
		return simplifyQuantified(q, inhabited)
	}
	switch f := mapParts(f, func(g Formula) Formula { return simplify(g, inhabited) }).(type) {
	case Equal:
		return simplifyEqual(f)
	case Less:
		return simplifyLess(f)
	case Not:
		return negated(f.F)
	case And:
		return connected(f, true)
	case Or:
		return connected(f, false)
	case Implies:
		return simplifyImplies(f)
	case Iff:
		return simplifyIff(f)
	default:
		return f
	}
}

func simplifyEqual(e Equal) Formula {
	if e.A.Var == "" || e.A.Fn == "" && e.B.Fn == "match" {
		e.A, e.B = e.B, e.A
	}
	switch {
	case e.A.Var == "":
		return Const(e.A == e.B)
	case e.A == e.B && (e.A.Fn == "" || e.A.Fn == "method"):
		return Const(true) // other terms may have no value
	}
	return e
}

func simplifyLess(l Less) Formula {
	if l.A == l.B || l.A.Var == "" && l.B.Var == "" {
		return Const(l.A.Var == "" && wording.LessInteger(history.Value(l.A.Name), history.Value(l.B.Name)))
	}
	return l
}

func negated(f Formula) Formula {
	switch f := f.(type) {
	case Const:
		return !f
	case Not:
		return f.F
	}
	return Not{f}
}

// connected is a conjunction (or disjunction) without nested ones, constants
// and duplicates.
func connected(fs []Formula, and bool) Formula {
	var out []Formula
	for _, f := range flattened(fs, and) {
		if c, ok := f.(Const); ok {
			if bool(c) != and {
				return c
			}
			continue
		}
		not := negated(f)
		if slices.ContainsFunc(out, func(g Formula) bool { return alike(g, not) }) {
			return Const(!and)
		}
		if !slices.ContainsFunc(out, func(g Formula) bool { return alike(g, f) }) {
			out = append(out, f)
		}
	}
	if and {
		return normalList(And(out), out, Const(true))
	}
	return normalList(Or(out), out, Const(false))
}

func flattened(fs []Formula, and bool) []Formula {
	var out []Formula
	for _, f := range fs {
		if g, ok := f.(And); ok && and {
			out = append(out, flattened(g, and)...)
		} else if g, ok := f.(Or); ok && !and {
			out = append(out, flattened(g, and)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// alike reports whether formulas are the same up to the sides of equations.
func alike(f, g Formula) bool { return same(f, g, true) }

// same reports whether normal formulas are the same; if turned, up to the sides of
// equations.
func same(f, g Formula, turned bool) bool {
	switch f := f.(type) {
	case Const:
		return f == g
	case Less:
		return f == g
	case Equal:
		e, ok := g.(Equal)
		return ok && (f == e || turned && f == Equal{e.B, e.A})
	case Atom:
		a, ok := g.(Atom)
		return ok && f.Name == a.Name && slices.Equal(f.Args, a.Args)
	case Quantified:
		q, ok := g.(Quantified)
		return ok && f.Forall == q.Forall && slices.Equal(f.Vars, q.Vars) && same(f.Body, q.Body, turned)
	case Not:
		n, ok := g.(Not)
		return ok && same(f.F, n.F, turned)
	case Implies:
		i, ok := g.(Implies)
		return ok && same(f.A, i.A, turned) && same(f.B, i.B, turned)
	case Iff:
		i, ok := g.(Iff)
		return ok && same(f.A, i.A, turned) && same(f.B, i.B, turned)
	case And:
		a, ok := g.(And)
		return ok && slices.EqualFunc(f, a, func(f, g Formula) bool { return same(f, g, turned) })
	case Or:
		o, ok := g.(Or)
		return ok && slices.EqualFunc(f, o, func(f, g Formula) bool { return same(f, g, turned) })
	}
	panic(unknown(f))
}

func simplifyImplies(f Implies) Formula {
	switch {
	case isConst(f.A, true):
		return f.B
	case isConst(f.A, false), isConst(f.B, true), alike(f.A, f.B):
		return Const(true)
	case isConst(f.B, false), alike(f.A, negated(f.B)):
		return negated(f.A)
	case alike(negated(f.A), f.B):
		return f.B
	}
	return f
}

func simplifyIff(f Iff) Formula {
	switch {
	case isConst(f.A, true):
		return f.B
	case isConst(f.B, true):
		return f.A
	case isConst(f.A, false):
		return negated(f.B)
	case isConst(f.B, false):
		return negated(f.A)
	case alike(f.A, f.B):
		return Const(true)
	case alike(negated(f.A), f.B), alike(f.A, negated(f.B)):
		return Const(false)
	}
	return f
}

func isConst(f Formula, value bool) bool {
	c, ok := f.(Const)
	return ok && bool(c) == value
}

func simplifyQuantified(q Quantified, inhabited bool) Formula {
	q.Body = simplify(q.Body, true)
	if inner, ok := q.Body.(Quantified); ok && inner.Forall == q.Forall {
		// A variable bound twice is the inner one.
		q.Vars = append(without(q.Vars, inner.Vars), inner.Vars...)
		q.Body = inner.Body
	}
	q = onePoint(q)
	free := freeVars(q.Body)
	var used []string
	for i, x := range q.Vars {
		if slices.Contains(free, x) && !slices.Contains(q.Vars[:i], x) {
			used = append(used, x)
		}
	}
	switch {
	case len(used) > 0:
		q.Vars = used
		return q
	case inhabited || len(free) > 0 || isConst(q.Body, q.Forall):
		return q.Body
	}
	q.Vars = q.Vars[:1]
	return q
}

// onePoint replaces x by y where the body of exists x requires x = y, or that
// of forall x presumes it. Then x is unused.
func onePoint(q Quantified) Quantified {
	for _, f := range Conjuncts(q.Body, !q.Forall) {
		e, ok := f.(Equal)
		if !ok || e.A.Fn != "" || e.B.Fn != "" || e.A.Var == "" || e.B.Var == "" || e.A.Var == e.B.Var {
			continue
		}
		a, b := slices.Index(q.Vars, e.A.Var), slices.Index(q.Vars, e.B.Var)
		x, y := e.A.Var, e.B.Var // b < a: of two variables of the block the first stays
		if b > a {
			x, y = y, x
		}
		if a != b {
			q.Body = rename(q.Body, map[string]string{x: y}, slices.Concat(freeVars(q), q.Vars))
			return q
		}
	}
	return q
}

func without(xs, drop []string) []string {
	var out []string
	for _, x := range xs {
		if !slices.Contains(drop, x) {
			out = append(out, x)
		}
	}
	return out
}
