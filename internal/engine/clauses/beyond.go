package clauses

import (
	"slices"

	"github.com/adtinfer/adtinfer/theory"
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
	for i := range c.t.Spec.Beyond {
		s, ok := c.t.Spec.Beyond[i].Statement(c.t.Vocabulary())
		for j := range c.r.Kinds {
			k := &c.r.Kinds[j]
			if ok && k.Role == Self && k.Joiners != 0 && k.Again == 0 && c.secondIs(k, &s) {
				k.Again = c.needed(k, &s)
			}
		}
	}
}

// secondIs tells whether a target x and every other operation y that the language
// keeps apart from it are as given.
func (c *compiler) secondIs(k *Kind, st *theory.Statement) bool {
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

// needed is the kinds of the operations of which there is one; none if it says more
// than that they have target x.
func (c *compiler) needed(k *Kind, st *theory.Statement) (needed Kinds) {
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
