package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/theory"
)

// language turns every rule into a unique.
func (c *compiler) language() {
	for _, r := range c.t.Spec.Language {
		c.rule(r)
	}
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role == Self && k.Joiners != 0 && !c.distinct(k) {
			c.fail("the language", "it does not keep the match targets %s apart", k.Kind)
		}
		for _, u := range k.Uniques { // a second target is looked for while it runs, nothing else
			if k.Joiners == 0 || !slices.Equal(c.r.Uniques[u].Key, k.Key) {
				c.fail("rule "+c.r.Uniques[u].Name, "it holds apart what %s returns", k.Kind)
			}
		}
	}
}

// distinct reports whether the language lets no two operations of the kind have
// one key.
func (c *compiler) distinct(k *Kind) bool {
	return slices.ContainsFunc(c.r.Uniques, func(u Unique) bool {
		return u.Kinds.Has(k.Index) && !slices.ContainsFunc(u.Key, func(p Place) bool { return !slices.Contains(k.Key, p) })
	})
}

func (c *compiler) rule(r theory.Rule) {
	what := "rule " + r.Name
	q, ok := c.expand(r.Formula).(formula.Quantified)
	if !ok || !q.Forall || len(q.Vars) != 2 {
		c.fail(what, "it is not about two operations")
		return
	}
	u := Unique{Rule: r}
	broken := make([]Kinds, len(c.r.Kinds)) // beside which others, by kind
	for i := range c.r.Kinds {
		for j := range c.r.Kinds {
			s := specializer{x: q.Vars[0], y: q.Vars[1], kx: &c.r.Kinds[i], ky: &c.r.Kinds[j]}
			breaks := s.eval(q.Body, true)
			if i == j {
				s.same = true
				if alone := s.eval(q.Body, true); len(alone) > 0 {
					s.fail("an operation can break it alone")
				}
			}
			switch {
			case s.err != nil:
				c.fail(what, "%v", s.err)
				return
			case len(breaks) == 0:
				continue
			case !u.add(i, j, breaks):
				c.fail(what, "it does more than keep operations of some kinds apart by values")
				return
			}
			broken[i] |= 1 << j
		}
	}
	for i := range u.Kinds.All() { // every pair must break it, not just some
		if u.Kinds&^broken[i] != 0 {
			c.fail(what, "it keeps some kinds apart from others, but not from themselves")
			return
		}
	}
	if u.Kinds != 0 {
		c.addUnique(u)
	}
}

// add notes that kinds i and j break the rule where the residual holds.
func (u *Unique) add(i, j int, breaks Residual) bool {
	if len(breaks) != 1 || len(breaks[0]) == 0 {
		return false
	}
	var key []Place
	for _, e := range breaks[0] {
		if !e[1].Second || e[0].Second || e[0] != (Place{Ret: e[1].Ret, Index: e[1].Index}) {
			return false
		}
		key = append(key, e[0])
	}
	slices.SortFunc(key, comparePlaces)
	if u.Kinds != 0 && !slices.Equal(u.Key, key) {
		return false
	}
	u.Kinds |= 1<<i | 1<<j
	u.Key = key
	return true
}

func (c *compiler) addUnique(u Unique) {
	n := len(c.r.Uniques)
	c.r.Uniques = append(c.r.Uniques, u)
	byCall := !slices.ContainsFunc(u.Key, func(p Place) bool { return p.Ret })
	for i := range c.r.Methods {
		m := &c.r.Methods[i]
		if byCall && m.Mask != 0 && m.Mask&^u.Kinds == 0 {
			m.Uniques = append(m.Uniques, n)
			continue
		}
		for _, k := range m.Kinds {
			if u.Kinds.Has(k) {
				c.r.Kinds[k].Uniques = append(c.r.Kinds[k].Uniques, n)
			}
		}
	}
}
