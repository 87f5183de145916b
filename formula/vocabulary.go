package formula

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Vocabulary lists the names a formula may use besides the built-in ones. A nil
// *Vocabulary allows every method and outcome name, any number of arguments
// and results, and the atom used(x) that Guard writes; it declares no
// predicates.
type Vocabulary struct {
	Methods    []history.MethodSig
	Predicates []Predicate
}

// Predicate is a declared predicate: an abbreviation whose body has the
// parameters, all of sort Op, as its free variables. The body may use the
// predicates declared before it.
type Predicate struct {
	Name   string
	Params []string
	Body   Formula
}

// builtinAtoms are the predicates every vocabulary has, with their number of
// arguments.
var builtinAtoms = []struct {
	name  string
	arity int
}{{"before", 2}, {"unmatched", 1}, {"completed", 1}, {"readonly", 1}}

// usedAtom is the domain predicate of "Monitoring refinement" §4.2.
const usedAtom = "used"

// functions are the names of the built-in functions.
var functions = []string{"match", "method", "outcome", "arg", "ret"}

// reserved words cannot name variables; as constants they are quoted.
var reserved = []string{"forall", "exists", "true", "false"}

// predeclared outcomes may be named whether or not some method has them.
var predeclared = []string{"none", "value", "nil", "true", "false", "error", "panic"}

// arity is the number of arguments of a predicate.
func (v *Vocabulary) arity(name string) (n int, ok bool) {
	for _, a := range builtinAtoms {
		if a.name == name {
			return a.arity, true
		}
	}
	if v == nil {
		return 1, name == usedAtom
	}
	for _, p := range v.Predicates {
		if p.Name == name {
			return len(p.Params), true
		}
	}
	return 0, false
}

// atoms lists the names of all predicates.
func (v *Vocabulary) atoms() []string {
	var names []string
	for _, a := range builtinAtoms {
		names = append(names, a.name)
	}
	if v != nil {
		for _, p := range v.Predicates {
			names = append(names, p.Name)
		}
	}
	return names
}

// methods lists the method names.
func (v *Vocabulary) methods() []string {
	if v == nil {
		return nil
	}
	var names []string
	for _, m := range v.Methods {
		names = append(names, m.Name)
	}
	return names
}

// outcomes lists the outcomes some method has, and the predeclared ones.
func (v *Vocabulary) outcomes() []string {
	names := slices.Clone(predeclared)
	if v == nil {
		return names
	}
	for _, m := range v.Methods {
		for _, o := range m.Outcomes {
			if !slices.Contains(names, string(o.Outcome)) {
				names = append(names, string(o.Outcome))
			}
		}
	}
	return names
}

// largest is the largest number of values that any method takes (arg) or
// returns (ret).
func (v *Vocabulary) largest(fn string) int {
	n := 0
	for _, m := range v.Methods {
		if fn == "arg" {
			n = max(n, m.Args)
			continue
		}
		for _, o := range m.Outcomes {
			n = max(n, o.Rets)
		}
	}
	return n
}

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
