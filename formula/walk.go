package formula

import (
	"fmt"
	"slices"
)

// unknown is the panic of a type switch that all formulas should have passed.
func unknown(f Formula) string { return fmt.Sprintf("formula: unexpected %T", f) }

// mapParts rebuilds one formula with change applied to its immediate parts.
func mapParts(f Formula, change func(Formula) Formula) Formula {
	switch f := f.(type) {
	case Const, Atom, Equal, Less:
		return f
	case Not:
		return Not{change(f.F)}
	case And:
		return And(mapAll(f, change))
	case Or:
		return Or(mapAll(f, change))
	case Implies:
		return Implies{change(f.A), change(f.B)}
	case Iff:
		return Iff{change(f.A), change(f.B)}
	case Quantified:
		return Quantified{f.Forall, f.Vars, change(f.Body)}
	}
	panic(unknown(f))
}

func mapAll(fs []Formula, change func(Formula) Formula) []Formula {
	out := make([]Formula, len(fs))
	for i, f := range fs {
		out[i] = change(f)
	}
	return out
}

// Rebuild applies change to every subformula, innermost first.
func Rebuild(f Formula, change func(Formula) Formula) Formula {
	return change(mapParts(f, func(g Formula) Formula { return Rebuild(g, change) }))
}

// operandsOf lists the immediate parts of a formula, in order.
func operandsOf(f Formula) []Formula {
	switch f := f.(type) {
	case Const, Atom, Equal, Less:
		return nil
	case Not:
		return []Formula{f.F}
	case And:
		return f
	case Or:
		return f
	case Implies:
		return []Formula{f.A, f.B}
	case Iff:
		return []Formula{f.A, f.B}
	case Quantified:
		return []Formula{f.Body}
	}
	panic(unknown(f))
}

// Walk calls visit with a formula and, where visit returns true, with the parts
// of what it visited, from left to right.
func Walk(f Formula, visit func(Formula) bool) {
	if visit(f) {
		for _, g := range operandsOf(f) {
			Walk(g, visit)
		}
	}
}

// Conjuncts lists formulas that all hold exactly if f holds, or exactly if f does
// not hold: a conjunction is taken apart, and so is whatever is one by the laws
// of De Morgan. Formulas that do not hold come as Not.
func Conjuncts(f Formula, holds bool) []Formula {
	split := func(holds bool, fs ...Formula) (all []Formula) {
		for _, g := range fs {
			all = append(all, Conjuncts(g, holds)...)
		}
		return all
	}
	switch g := f.(type) {
	case Const:
		if bool(g) == holds {
			return nil
		}
	case Not:
		return Conjuncts(g.F, !holds)
	case And:
		if holds {
			return split(true, g...)
		}
	case Or:
		if !holds {
			return split(false, g...)
		}
	case Implies:
		if !holds {
			return append(Conjuncts(g.A, true), Conjuncts(g.B, false)...)
		}
	}
	if holds {
		return []Formula{f}
	}
	return []Formula{Not{f}}
}

// freeVars lists the free variables of a formula in the order of their first
// occurrence.
func freeVars(f Formula) []string {
	var free []string
	collectFree(f, nil, &free)
	return free
}

func collectFree(f Formula, bound []string, free *[]string) {
	note := func(x string) {
		if x != "" && !slices.Contains(bound, x) && !slices.Contains(*free, x) {
			*free = append(*free, x)
		}
	}
	switch f := f.(type) {
	case Atom:
		for _, x := range f.Args {
			note(x)
		}
	case Equal:
		note(f.A.Var)
		note(f.B.Var)
	case Less:
		note(f.A.Var)
		note(f.B.Var)
	case Quantified:
		collectFree(f.Body, slices.Concat(bound, f.Vars), free)
	default:
		for _, g := range operandsOf(f) {
			collectFree(g, bound, free)
		}
	}
}

// rename replaces free variables by others. Bound variables that are already
// in scope outside, or would capture a new name, get a fresh name: scope lists
// the names to stay clear of, among them all of to's new names.
func rename(f Formula, to map[string]string, scope []string) Formula {
	name := func(x string) string {
		if y, ok := to[x]; ok {
			return y
		}
		return x
	}
	switch f := f.(type) {
	case Atom:
		args := make([]string, len(f.Args))
		for i, x := range f.Args {
			args[i] = name(x)
		}
		return Atom{f.Name, args}
	case Equal:
		f.A.Var, f.B.Var = name(f.A.Var), name(f.B.Var)
		return f
	case Less:
		f.A.Var, f.B.Var = name(f.A.Var), name(f.B.Var)
		return f
	case Quantified:
		return renameQuantified(f, to, scope)
	}
	return mapParts(f, func(g Formula) Formula { return rename(g, to, scope) })
}

func renameQuantified(q Quantified, to map[string]string, scope []string) Formula {
	inner := map[string]string{}
	for x, y := range to {
		inner[x] = y
	}
	taken := slices.Concat(scope, freeVars(q))
	vars := make([]string, len(q.Vars))
	for i, x := range q.Vars {
		vars[i] = fresh(x, taken)
		taken = append(taken, vars[i])
		inner[x] = vars[i]
	}
	return Quantified{q.Forall, vars, rename(q.Body, inner, slices.Concat(scope, vars))}
}

// fresh is x, or x with the first number that makes it a name not taken.
func fresh(x string, taken []string) string {
	y := x
	for i := 1; slices.Contains(taken, y); i++ {
		y = fmt.Sprintf("%s%d", x, i)
	}
	return y
}
