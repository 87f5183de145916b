package formula

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Eval reports whether a formula holds in a structure when its free variables
// stand for the operations that env says. It follows the definition and nothing
// else: O(operations ^ quantified variables). Declared predicates must have been
// expanded; an unknown atom or a free variable missing in env panics.
//
// unmatched(x) holds of completed operations without a match target.
func Eval(f Formula, s Structure, env map[string]int) bool {
	switch f := f.(type) {
	case Const:
		return bool(f)
	case Atom:
		return evalAtom(f, s, env)
	case Equal:
		return evalEqual(f, s, env)
	case Less:
		return evalLess(f, s, env)
	case Not:
		return !Eval(f.F, s, env)
	case And:
		for _, g := range f {
			if !Eval(g, s, env) {
				return false
			}
		}
		return true
	case Or:
		for _, g := range f {
			if Eval(g, s, env) {
				return true
			}
		}
		return false
	case Implies:
		return !Eval(f.A, s, env) || Eval(f.B, s, env)
	case Iff:
		return Eval(f.A, s, env) == Eval(f.B, s, env)
	case Quantified:
		inner := make(map[string]int, len(env)+len(f.Vars))
		for x, i := range env {
			inner[x] = i
		}
		return evalQuantified(f, f.Vars, s, inner)
	}
	panic(unknown(f))
}

// evalQuantified binds the remaining variables in env, one after the other.
func evalQuantified(q Quantified, vars []string, s Structure, env map[string]int) bool {
	if len(vars) == 0 {
		return Eval(q.Body, s, env)
	}
	for i := range s.Len() {
		env[vars[0]] = i
		if evalQuantified(q, vars[1:], s, env) != q.Forall {
			return !q.Forall
		}
	}
	return q.Forall
}

func evalAtom(a Atom, s Structure, env map[string]int) bool {
	x := lookup(env, a.Args[0])
	switch a.Name {
	case "before":
		return s.Before(x, lookup(env, a.Args[1]))
	case "unmatched":
		return s.Completed(x) && s.Match(x) == history.Unmatched
	case "completed":
		return s.Completed(x)
	case "readonly":
		return s.ReadOnly(x)
	case usedAtom:
		return true
	}
	panic(fmt.Sprintf("formula: predicate %q is not expanded", a.Name))
}

func evalEqual(e Equal, s Structure, env map[string]int) bool {
	a, aOK := evalTerm(e.A, s, env)
	b, bOK := evalTerm(e.B, s, env)
	return aOK && bOK && a == b
}

func evalLess(l Less, s Structure, env map[string]int) bool {
	a, aOK := evalTerm(l.A, s, env)
	b, bOK := evalTerm(l.B, s, env)
	return aOK && bOK && wording.LessInteger(history.Value(a.name), history.Value(b.name))
}

// An object is what a term denotes: an operation (by number) or a name.
type object struct {
	op   int
	name string
}

// evalTerm returns false for a term without a value.
func evalTerm(t Term, s Structure, env map[string]int) (object, bool) {
	if t.Var == "" {
		return object{name: t.Name}, true
	}
	x := lookup(env, t.Var)
	switch t.Fn {
	case "":
		return object{op: x}, true
	case "match":
		m := s.Match(x)
		return object{op: m}, m != history.Unmatched
	case "method":
		return object{name: s.Label(x).Method}, true
	case "outcome":
		o := s.Label(x).Outcome
		return object{name: string(o)}, o != history.Pending
	case "arg":
		return valueAt(s.Label(x).Args, t.Index)
	case "ret":
		return valueAt(s.Label(x).Rets, t.Index)
	}
	panic(fmt.Sprintf("formula: unknown function %q", t.Fn))
}

// valueAt is the value at a position that counts from 1 (0 is 1, too).
func valueAt(vs []history.Value, index int) (object, bool) {
	if i := max(index, 1); i <= len(vs) {
		return object{name: string(vs[i-1])}, true
	}
	return object{}, false
}

func lookup(env map[string]int, x string) int {
	i, ok := env[x]
	if !ok {
		panic(fmt.Sprintf("formula: free variable %q has no operation", x))
	}
	return i
}
