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

// rebuild applies change to every subformula, innermost first.
func rebuild(f Formula, change func(Formula) Formula) Formula {
	return change(mapParts(f, func(g Formula) Formula { return rebuild(g, change) }))
}

// FreeVars lists the free variables of a formula in the order of their first
// occurrence.
func FreeVars(f Formula) []string {
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
		mapParts(f, func(g Formula) Formula {
			collectFree(g, bound, free)
			return g
		})
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
	taken := slices.Concat(scope, FreeVars(q))
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
