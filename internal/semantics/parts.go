package semantics

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
)

// Parts says how far a closed formula sees, where the operations of an execution are
// parted so that those with the same first argument, and those that match each other,
// are in one part.
type Parts struct {
	// Most is how many operations it speaks of freely: each other variable is tied to
	// the part of one before it, by an equation. If the formula does not hold, it does not
	// hold in the parts of so many operations, without all others; and if it
	// holds it holds in any parts.
	Most int

	// Exists reports whether it asks for an operation. If it does not hold and does not
	// ask, it does not hold whatever operations there are besides.
	Exists bool

	Rank int // how deep its quantifiers are nested, each variable counting
}

// Apart takes a formula apart; false if it sees further. Predicates must have been expanded.
func Apart(f formula.Formula) (Parts, bool) {
	a := &apart{ok: true}
	a.walk(f, true, nil, false)
	return a.Parts, a.ok
}

type apart struct {
	Parts
	ok bool
}

// walk goes through a formula that must hold, or must not, under the variables in
// scope; asked says that some operation has been asked for.
func (a *apart) walk(f formula.Formula, holds bool, scope []string, asked bool) {
	switch f := f.(type) {
	case formula.Not:
		a.walk(f.F, !holds, scope, asked)
	case formula.And:
		for _, g := range f {
			a.walk(g, holds, scope, asked)
		}
	case formula.Or:
		for _, g := range f {
			a.walk(g, holds, scope, asked)
		}
	case formula.Implies:
		a.walk(f.A, !holds, scope, asked)
		a.walk(f.B, holds, scope, asked)
	case formula.Iff:
		for _, side := range []bool{true, false} {
			a.walk(f.A, side, scope, asked)
			a.walk(f.B, side, scope, asked)
		}
	case formula.Quantified:
		a.quantified(f, holds, scope, asked)
	}
}

func (a *apart) quantified(f formula.Quantified, holds bool, scope []string, asked bool) {
	asks := f.Forall != holds
	given := formula.Conjuncts(f.Body, !f.Forall)
	hidden := func(v string) bool { return slices.Contains(f.Vars, v) }
	scope, free := slices.DeleteFunc(slices.Clone(scope), hidden), slices.Clone(f.Vars)
	for len(free) > 0 {
		i := slices.IndexFunc(free, func(v string) bool { return tied(v, scope, given) })
		if i < 0 { // none is tied to those before it
			i = 0
			a.Most++
			a.ok = a.ok && !asks && !asked
		}
		scope, free = append(scope, free[i]), slices.Delete(free, i, i+1)
	}
	a.Exists = a.Exists || asks
	a.Rank = max(a.Rank, len(scope))
	a.walk(f.Body, holds, scope, asked || asks)
}

// tied reports whether one of some formulas that hold puts v into the part of a variable
// in scope.
func tied(v string, scope []string, given []formula.Formula) bool {
	return slices.ContainsFunc(given, func(f formula.Formula) bool {
		switch f := f.(type) {
		case formula.Or:
			return len(f) > 0 && !slices.ContainsFunc(f, func(g formula.Formula) bool { return !tied(v, scope, formula.Conjuncts(g, true)) })
		case formula.Quantified: // by way of others
			own := formula.Conjuncts(f.Body, true)
			if f.Forall || slices.Contains(f.Vars, v) || slices.ContainsFunc(f.Vars, func(z string) bool { return slices.Contains(scope, z) }) {
				return false
			}
			further := slices.Clone(scope)
			for _, z := range f.Vars {
				if tied(z, further, own) {
					further = append(further, z)
				}
			}
			return tied(v, further, own)
		case formula.Equal:
			a, b := f.A, f.B
			if b.Var == v {
				a, b = b, a
			}
			return a.Var == v && slices.Contains(scope, b.Var) && (isMatch(a) && isMatch(b) || isKey(a) && isKey(b))
		}
		return false
	})
}

func isMatch(t formula.Term) bool { return t.Fn == "" || t.Fn == "match" }
func isKey(t formula.Term) bool   { return t.Fn == "arg" && t.Index <= 1 }
