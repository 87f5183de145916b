package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics"
)

// structural is an axiom about the order of operations of one or two matches,
//
//	forall x1:Op, ..., xn:Op. A -> B
//
// where A has no quantifiers, and those of B are existential, none is negated,
// and each variable is in the match of another one: exists r:Op. match(r) = x1.
//
// Such an axiom is broken by operations x1, ..., xn, of at most two matches, and
// by what these matches do not have. So each history that breaks it embeds a
// small one that does, of x1, ..., xn and at most one operation more of each
// kind that is not read-only. Conversely, a history that embeds a small one has
// more read-only operations, which no quantifier of B lets stand for r, and more
// of the same kinds, which is excluded whatever else there is: that is checked.
// Therefore the minimal small histories say the same as the axioms.
//
// A may compare values that tell matches apart, arg(a1) < arg(a2). Then of two
// matches also matters whose key is the smaller one, and each history is tried
// both ways.
type structural struct {
	name     int // in Rules.Names
	vars     int
	groups   int  // matches that its variables may be in
	forall   bool // B has no quantifiers: what breaks it does so in each longer history
	violated func(s formula.Structure, ops []int) bool
}

// axioms turns every axiom into claims about labels, or keeps it for
// structuralClauses.
func (c *compiler) axioms() {
	for i := range c.t.Spec.Patterns {
		c.r.Names = append(c.r.Names, c.t.Spec.Patterns[i].Name)
	}
	for _, a := range c.t.Spec.Axioms {
		f := c.expand(a.Formula)
		why := "it is not about the label of one operation"
		if q, ok := f.(formula.Quantified); ok && q.Forall && len(q.Vars) == 1 {
			err := c.claims(a.Name, q)
			if err == nil {
				continue
			}
			why = err.Error()
		}
		s, ok := c.structuralAxiom(len(c.r.Names), f)
		if !ok {
			c.fail("axiom "+a.Name, "%s, nor about the order of operations of one or two matches", why)
			return
		}
		c.r.Names = append(c.r.Names, a.Name)
		c.r.labels.Compared = append(c.r.labels.Compared, semantics.Compared(f)...)
		c.structural = append(c.structural, s)
	}
}

// claims adds the claims of an axiom about labels. The error says why the axiom is
// about more.
func (c *compiler) claims(name string, q formula.Quantified) error {
	claims := make([]Residual, len(c.r.Kinds))
	for k := range c.r.Kinds {
		s := specializer{x: q.Vars[0], kx: &c.r.Kinds[k]}
		claims[k] = s.eval(q.Body, false)
		if s.err != nil {
			return s.err
		}
	}
	for k, holds := range claims {
		if !holds.isTrue() {
			c.r.Kinds[k].Claims = append(c.r.Kinds[k].Claims, Claim{len(c.r.Axioms), holds})
		}
	}
	c.r.Axioms = append(c.r.Axioms, name)
	return nil
}

// structuralAxiom takes an axiom apart; false if it is not of the form.
func (c *compiler) structuralAxiom(name int, f formula.Formula) (structural, bool) {
	var vars []string
	for {
		q, ok := f.(formula.Quantified)
		if !ok || !q.Forall {
			break
		}
		vars, f = append(vars, q.Vars...), q.Body
	}
	a := structural{name: name, vars: len(vars), forall: true}
	var given []formula.Formula
	rest := f
	if i, ok := f.(formula.Implies); ok {
		given, rest = formula.Conjuncts(i.A, true), i.B
	}
	w := &walker{c: c, scope: slices.Clone(vars)}
	for _, g := range given {
		w.plain(g)
	}
	w.positive(rest)
	if a.groups = groups(vars, given); w.bad || a.groups > 2 || len(vars) == 0 {
		return a, false
	}
	a.forall = !w.exists
	holds := formula.Compile(formula.Quantified{Forall: true, Vars: vars, Body: f})
	a.violated = func(s formula.Structure, ops []int) bool { return !holds(s, ops) }
	return a, true
}

// groups counts the matches that variables are in, given equations.
func groups(vars []string, given []formula.Formula) int {
	group := map[string]string{}
	for _, v := range vars {
		group[v] = v
	}
	for _, g := range given {
		if e, ok := g.(formula.Equal); ok && ofMatch(e.A) && ofMatch(e.B) {
			from, to := group[e.A.Var], group[e.B.Var]
			for v := range group {
				if group[v] == from {
					group[v] = to
				}
			}
		}
	}
	distinct := map[string]bool{}
	for _, g := range group {
		distinct[g] = true
	}
	return len(distinct)
}

// ofMatch reports whether a term is an operation or its match target.
func ofMatch(t formula.Term) bool { return t.Var != "" && (t.Fn == "" || t.Fn == "match") }

// walker looks for what keeps an axiom out of the form.
type walker struct {
	c      *compiler
	scope  []string
	exists bool
	bad    bool
}

// plain wants no quantifiers, and of values only which match's key is smaller.
func (w *walker) plain(f formula.Formula) {
	formula.Walk(f, func(f formula.Formula) bool {
		switch f := f.(type) {
		case formula.Equal:
			w.bad = w.bad || formula.SortOf(f.A) == formula.ValueSort
		case formula.Less:
			w.bad = w.bad || !w.c.isKey(f.A) || !w.c.isKey(f.B)
		case formula.Atom:
			w.bad = w.bad || f.Name != "before" && f.Name != "unmatched" && f.Name != "readonly"
		case formula.Quantified:
			w.bad = true
		}
		return !w.bad
	})
}

// positive also allows existential quantifiers that are not negated.
func (w *walker) positive(f formula.Formula) {
	switch f := f.(type) {
	case formula.And:
		for _, g := range f {
			w.positive(g)
		}
	case formula.Or:
		for _, g := range f {
			w.positive(g)
		}
	case formula.Implies:
		w.plain(f.A)
		w.positive(f.B)
	case formula.Quantified:
		w.exists = true
		w.bad = w.bad || f.Forall
		for _, v := range f.Vars {
			w.bad = w.bad || !w.tied(v, formula.Conjuncts(f.Body, true))
			w.scope = append(w.scope, v)
		}
		w.positive(f.Body)
	default:
		w.plain(f)
	}
}

// tied reports whether conjuncts make v the match target of an earlier variable; or
// put it into its match, as something that is not read-only.
func (w *walker) tied(v string, body []formula.Formula) bool {
	for _, g := range body {
		e, ok := g.(formula.Equal)
		if !ok || !ofMatch(e.A) || !ofMatch(e.B) {
			continue
		}
		a, b := e.A, e.B
		if b.Var == v {
			a, b = b, a
		}
		if a.Var == v && slices.Contains(w.scope, b.Var) && b.Var != v {
			if a.Fn == "" && b.Fn == "match" || w.writes(v, body) {
				return true
			}
		}
	}
	return false
}

// writes reports whether conjuncts exclude that v is read-only, by its label.
func (w *walker) writes(v string, body []formula.Formula) bool {
	for i := range w.c.r.Kinds {
		if k := &w.c.r.Kinds[i]; k.ReadOnly && k.Target >= 0 && !excluded(k, v, body) {
			return false
		}
	}
	return true
}

func excluded(k *Kind, v string, body []formula.Formula) bool {
	return slices.ContainsFunc(body, func(g formula.Formula) bool {
		e, ok := g.(formula.Equal)
		if !ok || e.B.Var != "" || e.A.Var != v {
			return false
		}
		return e.A.Fn == "method" && e.B.Name != k.Method || e.A.Fn == "outcome" && e.B.Name != string(k.Outcome)
	})
}

// isKey reports whether a term is the key of an operation's match, if it is
// anything, and there is only one sort of matches that have keys.
func (c *compiler) isKey(t formula.Term) bool {
	p := Place{Ret: t.Fn == "ret", Index: max(t.Index, 1) - 1}
	targets := 0
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		n := k.Args
		if p.Ret {
			n = k.Rets
		}
		if p.Index < n && !slices.Equal(k.Key, []Place{p}) {
			return false
		}
		if k.Joiners != 0 {
			targets++
		}
	}
	return t.Var != "" && targets == 1
}
