package explain

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// removals says what can be left out of the histories that a theory admits so
// that it admits the rest: whole matches and unmatched operations, read-only
// operations, all but one of identical operations.
//
// It is a property of formulas. A pattern that embeds in what is left embeds in
// the whole, so patterns are closed under everything ("Symbolic ADT inference"
// §3). A universal formula holds of the rest because it holds of the whole. And
// so does "for all there is one" if the one that there is stays: it does where
// it belongs to the match of an operation that stays and is none of those that
// may go without their match.
type removals struct{ matches, readOnly, duplicates bool }

func removalsOf(t *theory.Theory) removals {
	c := &closure{theory: t, removals: removals{true, true, true}}
	for _, r := range slices.Concat(t.Spec.Language, t.Spec.Axioms) {
		c.formula(formula.Expand(r.Formula, t.Vocabulary()), true, nil)
	}
	return c.removals
}

type closure struct {
	theory *theory.Theory
	removals
}

// formula looks at a formula that holds (or does not) for operations that stay.
func (c *closure) formula(f formula.Formula, holds bool, stay []string) {
	switch f := f.(type) {
	case formula.Not:
		c.formula(f.F, !holds, stay)
	case formula.And:
		c.all(f, holds, stay)
	case formula.Or:
		c.all(f, holds, stay)
	case formula.Implies:
		c.formula(f.A, !holds, stay)
		c.formula(f.B, holds, stay)
	case formula.Iff:
		for _, g := range []formula.Formula{f.A, f.B} {
			c.formula(g, true, stay)
			c.formula(g, false, stay)
		}
	case formula.Quantified:
		if f.Forall != holds {
			c.exists(f, holds, stay)
		}
		c.formula(f.Body, holds, slices.Concat(stay, f.Vars))
	}
}

func (c *closure) all(fs []formula.Formula, holds bool, stay []string) {
	for _, f := range fs {
		c.formula(f, holds, stay)
	}
}

// exists notes what may be removed so that the operations stay that a
// quantifier says there are.
func (c *closure) exists(q formula.Quantified, holds bool, stay []string) {
	stay = slices.DeleteFunc(slices.Clone(stay), func(x string) bool { return slices.Contains(q.Vars, x) })
	conj := formula.Conjuncts(q.Body, holds)
	var targets []string
	for range q.Vars {
		for _, x := range tied(conj, stay, true) {
			if targets = append(targets, x); !slices.Contains(stay, x) {
				stay = append(stay, x)
			}
		}
		for _, x := range tied(conj, stay, false) {
			if !slices.Contains(stay, x) {
				stay = append(stay, x)
			}
		}
	}
	for _, x := range q.Vars {
		switch {
		case !slices.Contains(stay, x):
			c.removals = removals{}
		case !slices.Contains(targets, x):
			c.duplicates = false
			c.readOnly = c.readOnly && c.neverReadOnly(x, conj)
		}
	}
}

// tied lists variables that belong to the match of one that stays: its target,
// or any operation of the match.
func tied(conj []formula.Formula, stay []string, target bool) (vars []string) {
	for _, f := range conj {
		switch f := f.(type) {
		case formula.Equal:
			vars = append(vars, tiedByEquation(f, stay, target)...)
		case formula.Or:
			vars = append(vars, tiedByAll(f, stay, target)...)
		}
	}
	return vars
}

func tiedByEquation(e formula.Equal, stay []string, target bool) []string {
	a, b := e.A, e.B
	if a.Fn != "match" {
		a, b = b, a
	}
	switch {
	case a.Fn != "match" || b.Fn != "" && b.Fn != "match" || b.Var == "":
		return nil
	case slices.Contains(stay, a.Var) && (b.Fn == "") == target:
		return []string{b.Var}
	case slices.Contains(stay, b.Var) && !target:
		return []string{a.Var}
	}
	return nil
}

// tiedByAll lists what each of several alternatives ties.
func tiedByAll(fs []formula.Formula, stay []string, target bool) (vars []string) {
	for i, f := range fs {
		these := tied(formula.Conjuncts(f, true), stay, target)
		if i == 0 {
			vars = these
		}
		vars = slices.DeleteFunc(vars, func(x string) bool { return !slices.Contains(these, x) })
	}
	return vars
}

// neverReadOnly reports whether what is said of x keeps it from being read-only.
func (c *closure) neverReadOnly(x string, conj []formula.Formula) bool {
	for _, f := range conj {
		not, _ := f.(formula.Not)
		if a, ok := not.F.(formula.Atom); ok && a.Name == "readonly" && a.Args[0] == x {
			return true
		}
	}
	for _, m := range c.theory.Spec.Methods {
		for _, out := range m.Outcomes {
			k := history.Kind{Method: m.Name, Outcome: out.Outcome}
			possible := !slices.ContainsFunc(conj, func(f formula.Formula) bool { return !mayHold(f, true, x, k) })
			if f := c.theory.Spec.Matching.ReadOnly; possible && f != nil && mayHold(formula.Expand(f, c.theory.Vocabulary()), true, "x", k) {
				return false
			}
		}
	}
	return true
}

// mayHold reports whether a formula may hold (or not) when x is of a kind: what
// does not follow from the kind may.
func mayHold(f formula.Formula, holds bool, x string, k history.Kind) bool {
	may := func(g formula.Formula) bool { return mayHold(g, holds, x, k) }
	mayNot := func(g formula.Formula) bool { return !may(g) }
	switch f := f.(type) {
	case formula.Const:
		return bool(f) == holds
	case formula.Equal:
		same, known := kindIs(f, x, k)
		return !known || same == holds
	case formula.Not:
		return mayHold(f.F, !holds, x, k)
	case formula.And:
		return slices.ContainsFunc(f, may) && (!holds || !slices.ContainsFunc(f, mayNot))
	case formula.Or:
		return slices.ContainsFunc(f, may) && (holds || !slices.ContainsFunc(f, mayNot))
	case formula.Implies:
		return may(formula.Or{formula.Not{F: f.A}, f.B})
	}
	return true
}

// kindIs evaluates an equation of the method or outcome of x with a constant.
func kindIs(e formula.Equal, x string, k history.Kind) (same, known bool) {
	a, b := e.A, e.B
	if a.Var == "" {
		a, b = b, a
	}
	switch {
	case a.Var != x || b.Var != "":
		return false, false
	case a.Fn == "method":
		return b.Name == k.Method, true
	case a.Fn == "outcome":
		return b.Name == string(k.Outcome), true
	}
	return false, false
}
