package formula

// Guard relativizes the quantifiers of a formula to the operations that take
// part ("Monitoring refinement" §4.2, there for prenex formulas, here for any):
// forall x:Op. F becomes forall x:Op. used(x) -> F, and exists x:Op. F becomes
// exists x:Op. used(x) & F. The guarded formula holds of a structure exactly
// when the formula holds of the part of it where used holds, provided that the
// match target of a used operation is used.
//
// The atom used is no part of the language that people write: Parse knows it
// only without a vocabulary, and Eval takes every operation as used.
func Guard(f Formula) Formula {
	return rebuild(f, func(f Formula) Formula {
		q, ok := f.(Quantified)
		if !ok || len(q.Vars) == 0 {
			return f
		}
		var used And
		for _, x := range q.Vars {
			used = append(used, Atom{Name: usedAtom, Args: []string{x}})
		}
		if q.Forall {
			q.Body = Implies{Normal(used), q.Body}
		} else {
			q.Body = append(used, andParts(q.Body)...)
		}
		return q
	})
}

// andParts are the parts of a conjunction, or the formula itself.
func andParts(f Formula) []Formula {
	if c, ok := f.(And); ok {
		return c
	}
	return []Formula{f}
}
