package formula

// Expand replaces every declared predicate by its body, the parameters by the
// arguments. Bound variables of a body are renamed where they would capture an
// argument or hide a variable in scope. A body may use the predicates declared
// before it; other atoms are left alone.
func Expand(f Formula, v *Vocabulary) Formula {
	if v == nil {
		return f
	}
	return expand(f, v.Predicates, freeVars(f))
}

func expand(f Formula, preds []Predicate, scope []string) Formula {
	switch f := f.(type) {
	case Atom:
		return expandAtom(f, preds, scope)
	case Quantified:
		scope = append(scope[:len(scope):len(scope)], f.Vars...)
	}
	return mapParts(f, func(g Formula) Formula { return expand(g, preds, scope) })
}

func expandAtom(a Atom, preds []Predicate, scope []string) Formula {
	for i, p := range preds {
		if p.Name != a.Name || len(p.Params) != len(a.Args) {
			continue
		}
		to := map[string]string{}
		for k, x := range p.Params {
			to[x] = a.Args[k]
		}
		return expand(rename(p.Body, to, scope), preds[:i], scope)
	}
	return a
}
