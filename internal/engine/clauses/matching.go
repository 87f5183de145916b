package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
)

// matching finds out what each kind matches.
func (c *compiler) matching() {
	for i := range c.r.Kinds {
		c.targets(&c.r.Kinds[i])
		c.readOnly(&c.r.Kinds[i])
	}
	for i := range c.r.Kinds {
		k := &c.r.Kinds[i]
		if k.Role == Other || k.Role == Optional {
			t := &c.r.Kinds[k.Target]
			if t.Role != Self {
				c.fail("the matching", "%s is a match target and has another one", t.Kind)
			}
			t.Joiners |= 1 << i
			if !k.ReadOnly {
				t.Writers |= 1 << i
			}
		}
	}
	for i := range c.r.Methods {
		m := &c.r.Methods[i]
		for _, k := range m.Kinds {
			if c.r.Kinds[k].Joiners != 0 {
				m.Targets = append(m.Targets, k)
			}
		}
		if len(m.Targets) > 1 {
			c.fail("the matching", "%s may be two sorts of match target", m.Name)
		}
	}
}

// targets goes through the target formulas until one is sure to hold.
func (c *compiler) targets(k *Kind) {
	for _, f := range c.t.Spec.Matching.Target {
		f = c.expand(f)
		own, ok := c.specialize(f, k, k, true)
		if !ok {
			return
		}
		if len(own) > 0 && !own.isTrue() {
			c.fail("the matching", "whether %s matches itself depends on its values", k.Kind)
			return
		}
		for j := range c.r.Kinds {
			t := &c.r.Kinds[j]
			cross, ok := c.specialize(f, k, t, false)
			if !ok {
				return
			}
			switch {
			case len(cross) == 0 || own.isTrue() && j == k.Index:
			case own.isTrue():
				c.fail("the matching", "%s may match itself and %s alike", k.Kind, t.Kind)
			default:
				c.crossTarget(k, t, cross)
			}
		}
		if own.isTrue() {
			c.ownTarget(k)
			return
		}
	}
}

func (c *compiler) specialize(f formula.Formula, kx, ky *Kind, same bool) (Residual, bool) {
	s := specializer{x: "x", y: "y", kx: kx, ky: ky, same: same}
	r := s.eval(f, false)
	if s.err != nil {
		c.fail("the matching", "%v", s.err)
	}
	return r, s.err == nil
}

func (c *compiler) ownTarget(k *Kind) {
	switch k.Role {
	case Alone:
		k.Role, k.Target = Self, k.Index
	case Other:
		k.Role = Optional
	}
}

// crossTarget notes that k matches t where the residual holds.
func (c *compiler) crossTarget(k, t *Kind, cross Residual) {
	if k.Role != Alone || len(cross) != 1 || len(cross[0]) == 0 {
		c.fail("the matching", "%s has several ways to match, or no value that tells how", k.Kind)
		return
	}
	eqs := slices.Clone(cross[0])
	slices.SortFunc(eqs, func(a, b Equation) int { return comparePlaces(a[1], b[1]) })
	var mine, its []Place
	for _, e := range eqs {
		if e[0].Second || !e[1].Second || e[1].Ret {
			c.fail("the matching", "%s does not match by values that %s was called with", k.Kind, t.Kind)
			return
		}
		mine, its = append(mine, e[0]), append(its, Place{Index: e[1].Index})
	}
	if t.Key != nil && !slices.Equal(t.Key, its) {
		c.fail("the matching", "operations match %s by different arguments", t.Kind)
		return
	}
	k.Role, k.Target, k.Key, t.Key = Other, t.Index, mine, its
}

func (c *compiler) readOnly(k *Kind) {
	f := c.t.Spec.Matching.ReadOnly
	if f == nil {
		return
	}
	s := specializer{x: "x", kx: k}
	r := s.eval(c.expand(f), false)
	if s.err == nil && len(r) > 0 && !r.isTrue() {
		s.fail("whether %s is depends on its values", k.Kind)
	}
	if s.err != nil {
		c.fail("the read-only formula", "%v", s.err)
	}
	k.ReadOnly = r.isTrue()
}
