package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
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
	case Unmatched:
		k.Role, k.Target = Self, k.Index
	case Other:
		k.Role = Optional
	}
}

// crossTarget notes that k matches t where the residual holds.
func (c *compiler) crossTarget(k, t *Kind, cross Residual) {
	if k.Role != Unmatched || len(cross) != 1 || len(cross[0]) == 0 {
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

// beyond finds out what a second match target needs, from what the theory says of
// executions outside its language:
//
//	forall x:Op, y:Op. A -> exists z:Op. B
//
// where A holds if two operations break a rule that keeps targets apart, and B of
// operations that have x as their target, and of no others. Other statements
// are left alone: to know less is never wrong.
func (c *compiler) beyond() {
	for i := range c.t.Spec.Beyond {
		s, ok := instance.StatementOf(&c.t.Spec.Beyond[i], c.t.Vocabulary())
		for j := range c.r.Kinds {
			k := &c.r.Kinds[j]
			if ok && k.Role == Self && k.Joiners != 0 && k.SecondNeeds == 0 && c.secondIs(k, &s) {
				k.SecondNeeds = c.secondNeeds(k, &s)
			}
		}
	}
}

// secondIs reports whether a target x and every other operation y that the language
// keeps apart from it are as given.
func (c *compiler) secondIs(k *Kind, st *instance.Statement) bool {
	u := slices.IndexFunc(c.r.Uniques, func(u Unique) bool { return u.Kinds.Has(k.Index) && slices.Equal(u.Key, k.Key) })
	for j := range c.r.Kinds {
		if u < 0 || !c.r.Uniques[u].Kinds.Has(j) {
			continue
		}
		s := specializer{x: st.X, y: st.Y, kx: k, ky: &c.r.Kinds[j]}
		holds := s.eval(st.Given, false)
		ok := slices.ContainsFunc(holds, func(es []Equation) bool {
			return !slices.ContainsFunc(es, func(e Equation) bool {
				return e[0].Second || !slices.Contains(k.Key, e[0]) || e[1] != Place{Second: true, Ret: e[0].Ret, Index: e[0].Index}
			})
		})
		if s.err != nil || !ok {
			return false
		}
	}
	return u >= 0
}

// secondNeeds is the kinds of operations that a statement says there is one of; none if it
// says more than that they have target x.
func (c *compiler) secondNeeds(k *Kind, st *instance.Statement) (needed Kinds) {
	for j := range c.r.Kinds {
		z := &c.r.Kinds[j]
		s := specializer{x: st.X, y: st.Z, kx: k, ky: z}
		holds := s.eval(st.Needed, false)
		if s.err != nil {
			return 0
		}
		if len(holds) == 0 {
			continue
		}
		if len(holds) != 1 || !k.Joiners.Has(j) || len(holds[0]) != len(k.Key) {
			return 0
		}
		for i := range k.Key {
			if !slices.Contains(holds[0], Equation{k.Key[i], Place{Second: true, Ret: z.Key[i].Ret, Index: z.Key[i].Index}}) {
				return 0
			}
		}
		needed |= 1 << j
	}
	return needed
}
