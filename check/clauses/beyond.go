package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/formula"
)

// beyond finds out what a second match target needs, from what the theory says of
// executions outside its language:
//
//	forall x:Op, y:Op. A -> exists z:Op. B
//
// where A holds if two operations break a rule that keeps targets apart, and B of
// operations that have x as their target, and of no others. Other statements
// are left alone: to know less is never wrong.
func (c *compiler) beyond() {
	for _, s := range c.t.Spec.Beyond {
		q, _ := c.expand(s.Formula).(formula.Quantified)
		to, _ := q.Body.(formula.Implies)
		some, _ := to.B.(formula.Quantified)
		if !q.Forall || len(q.Vars) != 2 || some.Forall || len(some.Vars) != 1 {
			continue
		}
		for i := range c.r.Kinds {
			k := &c.r.Kinds[i]
			if k.Role == Self && k.Joiners != 0 && k.Again == 0 && c.secondIs(k, q.Vars, to.A) {
				k.Again = c.needed(k, q.Vars[0], some)
			}
		}
	}
}

// secondIs tells whether a holds of a target x and every other operation y that the
// language keeps apart from it.
func (c *compiler) secondIs(k *Kind, vars []string, a formula.Formula) bool {
	u := slices.IndexFunc(c.r.Uniques, func(u Unique) bool { return u.Kinds.Has(k.Index) && slices.Equal(u.Key, k.Key) })
	for j := range c.r.Kinds {
		if u < 0 || !c.r.Uniques[u].Kinds.Has(j) {
			continue
		}
		s := specializer{x: vars[0], y: vars[1], kx: k, ky: &c.r.Kinds[j]}
		holds := s.eval(a, false)
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

// needed is the kinds of the operations of which there is one; none if it says more
// than that they have target x.
func (c *compiler) needed(k *Kind, x string, some formula.Quantified) (needed Kinds) {
	for j := range c.r.Kinds {
		z := &c.r.Kinds[j]
		s := specializer{x: x, y: some.Vars[0], kx: k, ky: z}
		holds := s.eval(some.Body, false)
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
