package formula

import (
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Compile turns a formula into a function with Eval's meaning: the k-th of ops
// is what the k-th of vars stands for. Without quantifiers a call allocates
// nothing and takes a few nanoseconds a literal; with quantifiers it allocates
// once and tries operations in turn, testing each part of a conjunction as
// early as its variables allow. The function is safe for concurrent use.
// Declared predicates must have been expanded; an unknown atom or a free
// variable that is not among vars panics.
func Compile(f Formula, vars ...string) func(s Structure, ops []int) bool {
	c := &compiler{}
	c.bind(vars)
	run, size := c.formula(f), c.size
	if size == len(vars) {
		return func(s Structure, ops []int) bool { return run(s, ops, nil) }
	}
	return func(s Structure, ops []int) bool {
		env := make([]int, size)
		copy(env, ops)
		return run(s, env, nil)
	}
}

// A test is a compiled formula. env holds the operation of each variable, by
// slot; ix holds the indexes of searches, nil for none.
type test func(s Structure, env []int, ix *indexes) bool

// A compiler gives each variable a slot in env. size counts the slots, levels
// the quantified ones.
type compiler struct {
	scope        []scoped
	size, levels int
}

type scoped struct {
	name string
	slot int
}

// bind brings variables into scope and returns their slots.
func (c *compiler) bind(vars []string) []int {
	var slots []int
	for _, x := range vars {
		c.scope = append(c.scope, scoped{x, c.size})
		slots = append(slots, c.size)
		c.size++
	}
	return slots
}

// slot is that of the innermost variable of a name.
func (c *compiler) slot(x string) int {
	for i := len(c.scope) - 1; i >= 0; i-- {
		if c.scope[i].name == x {
			return c.scope[i].slot
		}
	}
	panic(fmt.Sprintf("formula: free variable %q has no operation", x))
}

func (c *compiler) formula(f Formula) test {
	switch f := f.(type) {
	case Const:
		return always(bool(f))
	case Atom:
		return c.atom(f)
	case Equal:
		return c.equal(f)
	case Less:
		return c.less(f)
	case Not:
		g := c.formula(f.F)
		return func(s Structure, env []int, ix *indexes) bool { return !g(s, env, ix) }
	case And:
		return allOf(c.list(f))
	case Or:
		return anyOf(c.list(f))
	case Implies:
		return anyOf([]test{c.formula(Not{f.A}), c.formula(f.B)})
	case Iff:
		a, b := c.formula(f.A), c.formula(f.B)
		return func(s Structure, env []int, ix *indexes) bool { return a(s, env, ix) == b(s, env, ix) }
	case Quantified:
		return c.quantified(f)
	}
	panic(unknown(f))
}

func always(holds bool) test { return func(Structure, []int, *indexes) bool { return holds } }

func (c *compiler) list(fs []Formula) []test {
	var ts []test
	for _, f := range fs {
		ts = append(ts, c.formula(f))
	}
	return ts
}

func allOf(ts []test) test {
	return func(s Structure, env []int, ix *indexes) bool {
		for _, t := range ts {
			if !t(s, env, ix) {
				return false
			}
		}
		return true
	}
}

func anyOf(ts []test) test {
	return func(s Structure, env []int, ix *indexes) bool {
		for _, t := range ts {
			if t(s, env, ix) {
				return true
			}
		}
		return false
	}
}

// quantified searches for a witness, or for a counterexample.
func (c *compiler) quantified(q Quantified) test {
	outer := len(c.scope)
	find := c.search(q.Vars, Conjuncts(q.Body, !q.Forall))
	c.scope = c.scope[:outer]
	return func(s Structure, env []int, ix *indexes) bool { return find.from(0, s, env, ix) != q.Forall }
}

func (c *compiler) atom(a Atom) test {
	x := c.slot(a.Args[0])
	switch a.Name {
	case "before":
		y := c.slot(a.Args[1])
		return func(s Structure, env []int, _ *indexes) bool { return s.Before(env[x], env[y]) }
	case "unmatched":
		return func(s Structure, env []int, _ *indexes) bool {
			return s.Completed(env[x]) && s.Match(env[x]) == history.Unmatched
		}
	case "completed":
		return func(s Structure, env []int, _ *indexes) bool { return s.Completed(env[x]) }
	case "readonly":
		return func(s Structure, env []int, _ *indexes) bool { return s.ReadOnly(env[x]) }
	case usedAtom:
		return always(true)
	}
	panic(fmt.Sprintf("formula: predicate %q is not expanded", a.Name))
}

// equal puts a constant, if there is one, on the right, and compares by sort.
func (c *compiler) equal(e Equal) test {
	if e.A.Var == "" {
		e.A, e.B = e.B, e.A
	}
	switch {
	case e.A.Var == "":
		return always(e.A.Name == e.B.Name)
	case SortOf(e.A) == opSort:
		return c.equalOps(e.A, e.B)
	case SortOf(e.A) == ValueSort:
		return c.equalValues(e.A, e.B)
	case SortOf(e.A) == MethodSort:
		return c.equalMethods(e.A, e.B)
	}
	return c.equalOutcomes(e.A, e.B)
}

func (c *compiler) equalOps(a, b Term) test {
	if a.Fn == "" {
		a, b = b, a
	}
	x, y := c.slot(a.Var), c.slot(b.Var)
	switch {
	case a.Fn == "":
		return func(_ Structure, env []int, _ *indexes) bool { return env[x] == env[y] }
	case b.Fn == "":
		return func(s Structure, env []int, _ *indexes) bool { return s.Match(env[x]) == env[y] }
	}
	return func(s Structure, env []int, _ *indexes) bool {
		m := s.Match(env[x])
		return m != history.Unmatched && m == s.Match(env[y])
	}
}

func (c *compiler) equalMethods(a, b Term) test {
	x := c.slot(a.Var)
	if b.Var == "" {
		return func(s Structure, env []int, _ *indexes) bool { return s.Label(env[x]).Method == b.Name }
	}
	y := c.slot(b.Var)
	return func(s Structure, env []int, _ *indexes) bool { return s.Label(env[x]).Method == s.Label(env[y]).Method }
}

func (c *compiler) equalOutcomes(a, b Term) test {
	x, o := c.slot(a.Var), history.Outcome(b.Name)
	if b.Var == "" {
		return func(s Structure, env []int, _ *indexes) bool {
			return s.Label(env[x]).Outcome == o && o != history.Pending
		}
	}
	y := c.slot(b.Var)
	return func(s Structure, env []int, _ *indexes) bool {
		o := s.Label(env[x]).Outcome
		return o != history.Pending && o == s.Label(env[y]).Outcome
	}
}

func (c *compiler) equalValues(a, b Term) test {
	p, x := position(a), c.slot(a.Var)
	if b.Var == "" {
		return func(s Structure, env []int, _ *indexes) bool {
			v, ok := p.value(s.Label(env[x]))
			return ok && v == history.Value(b.Name)
		}
	}
	q, y := position(b), c.slot(b.Var)
	return func(s Structure, env []int, _ *indexes) bool {
		v, ok := p.value(s.Label(env[x]))
		w, ok2 := q.value(s.Label(env[y]))
		return ok && ok2 && v == w
	}
}

func (c *compiler) less(l Less) test {
	a, b := c.value(l.A), c.value(l.B)
	return func(s Structure, env []int, _ *indexes) bool {
		v, ok := a(s, env)
		w, ok2 := b(s, env)
		return ok && ok2 && wording.LessInteger(v, w)
	}
}

// value is what a term of sort value denotes, if anything.
func (c *compiler) value(t Term) func(s Structure, env []int) (history.Value, bool) {
	if t.Var == "" {
		return func(Structure, []int) (history.Value, bool) { return history.Value(t.Name), true }
	}
	p, x := position(t), c.slot(t.Var)
	return func(s Structure, env []int) (history.Value, bool) { return p.value(s.Label(env[x])) }
}

// A place is where in a label a value stands; i counts from 0.
type place struct {
	ret bool
	i   int
}

func position(t Term) place { return place{t.Fn == "ret", max(t.Index, 1) - 1} }

func (p place) value(l *history.Label) (history.Value, bool) {
	vs := l.Args
	if p.ret {
		vs = l.Rets
	}
	if p.i >= len(vs) {
		return "", false
	}
	return vs[p.i], true
}
