package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
)

// matching finds out what each kind matches.
func (c *compiler) matching() {
	for i := range c.r.kinds {
		c.targets(&c.r.kinds[i])
		c.readOnly(&c.r.kinds[i])
	}
	for i := range c.r.kinds {
		k := &c.r.kinds[i]
		if k.role == other || k.role == optional {
			t := &c.r.kinds[k.target]
			if t.role != self {
				c.fail("the matching", "%s is a match target and has another one", t.Kind)
			}
			t.joiners |= 1 << i
			if !k.readOnly {
				t.writers |= 1 << i
			}
		}
	}
	for i := range c.r.methods {
		m := &c.r.methods[i]
		for _, k := range m.kinds {
			if c.r.kinds[k].joiners != 0 {
				m.targets = append(m.targets, k)
			}
		}
		if len(m.targets) > 1 {
			c.fail("the matching", "%s may be two sorts of match target", m.Name)
		}
	}
}

// targets goes through the target formulas until one is sure to hold.
func (c *compiler) targets(k *kind) {
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
		for j := range c.r.kinds {
			t := &c.r.kinds[j]
			cross, ok := c.specialize(f, k, t, false)
			if !ok {
				return
			}
			switch {
			case len(cross) == 0 || own.isTrue() && j == k.index:
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

func (c *compiler) specialize(f formula.Formula, kx, ky *kind, same bool) (residual, bool) {
	s := specializer{x: "x", y: "y", kx: kx, ky: ky, same: same}
	r := s.eval(f, false)
	if s.err != nil {
		c.fail("the matching", "%v", s.err)
	}
	return r, s.err == nil
}

func (c *compiler) ownTarget(k *kind) {
	switch k.role {
	case alone:
		k.role, k.target = self, k.index
	case other:
		k.role = optional
	}
}

// crossTarget notes that k matches t where the residual holds.
func (c *compiler) crossTarget(k, t *kind, cross residual) {
	if k.role != alone || len(cross) != 1 || len(cross[0]) == 0 {
		c.fail("the matching", "%s has several ways to match, or no value that tells how", k.Kind)
		return
	}
	eqs := slices.Clone(cross[0])
	slices.SortFunc(eqs, func(a, b equation) int { return comparePlaces(a[1], b[1]) })
	var mine, its []place
	for _, e := range eqs {
		if e[0].second || !e[1].second || e[1].ret {
			c.fail("the matching", "%s does not match by values that %s was called with", k.Kind, t.Kind)
			return
		}
		mine, its = append(mine, e[0]), append(its, place{i: e[1].i})
	}
	if t.key != nil && !slices.Equal(t.key, its) {
		c.fail("the matching", "operations match %s by different arguments", t.Kind)
		return
	}
	k.role, k.target, k.key, t.key = other, t.index, mine, its
}

func (c *compiler) readOnly(k *kind) {
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
	k.readOnly = r.isTrue()
}
