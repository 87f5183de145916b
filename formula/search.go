package formula

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Counterexample looks for operations that falsify a closed formula of the form
// forall x:Op, ... . body. It returns the variables of the leading universal
// quantifiers with an operation for each, the first in lexicographic order; for
// a false formula of any other form both lists are empty. found is false when
// the formula holds. Declared predicates must have been expanded.
//
// The search binds one variable after the other, and tests each premise as soon
// as its variables are bound. Where a premise equates a value (or match target)
// of the new variable with one of an earlier variable, only operations with
// that value are tried. A rule such as
//
//	forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y
//
// therefore takes time linear in the operations and in the pairs of equal
// value; a rule without such premises takes O(operations ^ variables). The same
// goes for the quantifiers inside the body.
func Counterexample(f Formula, s Structure) (ops []int, vars []string, found bool) {
	for {
		q, ok := f.(Quantified)
		if !ok || !q.Forall || slices.ContainsFunc(q.Vars, func(x string) bool { return slices.Contains(vars, x) }) {
			break
		}
		vars, f = append(vars, q.Vars...), q.Body
	}
	c := &compiler{}
	find := c.search(vars, Conjuncts(f, false))
	env, ix := make([]int, c.size), &indexes{levels: make([]*index, c.levels)}
	if !find.from(0, s, env, ix) {
		return nil, nil, false
	}
	return env[:len(vars):len(vars)], vars, true
}

// A search finds operations for variables such that all tests hold. Level k
// binds the k-th variable; ground tests speak of none of them.
type search struct {
	ground []test
	levels []level
}

// A level is one variable of a search.
type level struct {
	id   int // place in indexes
	slot int

	own   []test // quantifier-free, and about this variable alone
	rest  []test // about this variable and ones bound before
	probe *probe // an equation among rest to find candidates by; may be nil
}

// A probe is an equation between a term of a level's variable and a term of one
// bound before.
type probe struct {
	own, other keyTerm
	otherSlot  int
}

// search plans a search for the variables, which it binds, and the tests.
func (c *compiler) search(vars []string, tests []Formula) *search {
	q := &search{levels: make([]level, len(vars))}
	slots := c.bind(vars)
	for k := range vars {
		q.levels[k].id, q.levels[k].slot = c.levels, slots[k]
		c.levels++
	}
	slices.SortStableFunc(tests, func(a, b Formula) int { return cost(a) - cost(b) })
	for _, f := range tests {
		free := freeVars(f)
		last := -1
		for _, x := range free {
			last = max(last, slices.Index(slots, c.slot(x)))
		}
		t := c.formula(f)
		switch {
		case last < 0:
			q.ground = append(q.ground, t)
		case len(free) == 1 && cost(f) == 0:
			q.levels[last].own = append(q.levels[last].own, t)
		default:
			q.levels[last].rest = append(q.levels[last].rest, t)
			q.levels[last].addProbe(c, f)
		}
	}
	return q
}

// cost is the number of nested quantified variables.
func cost(f Formula) int {
	n := 0
	if q, ok := f.(Quantified); ok {
		n = len(q.Vars)
	}
	inner := 0
	for _, g := range operandsOf(f) {
		inner = max(inner, cost(g))
	}
	return n + inner
}

func (l *level) addProbe(c *compiler, f Formula) {
	e, ok := f.(Equal)
	if !ok || l.probe != nil || e.A.Var == "" || e.B.Var == "" {
		return
	}
	if c.slot(e.A.Var) != l.slot {
		e.A, e.B = e.B, e.A
	}
	if s := SortOf(e.A); s == opSort || s == ValueSort {
		l.probe = &probe{keyTerm(e.A), keyTerm(e.B), c.slot(e.B.Var)}
	}
}

// from completes a search whose first k levels are bound. On success env holds
// the operations found.
func (q *search) from(k int, s Structure, env []int, ix *indexes) bool {
	if k == 0 && !holdAll(q.ground, s, env, ix) {
		return false
	}
	if k == len(q.levels) {
		return true
	}
	l := &q.levels[k]
	if ix != nil {
		for _, i := range ix.candidates(l, s, env) {
			env[l.slot] = int(i)
			if holdAll(l.rest, s, env, ix) && q.from(k+1, s, env, ix) {
				return true
			}
		}
		return false
	}
	for i := range s.Len() {
		env[l.slot] = i
		if holdAll(l.own, s, env, nil) && holdAll(l.rest, s, env, nil) && q.from(k+1, s, env, nil) {
			return true
		}
	}
	return false
}

func holdAll(ts []test, s Structure, env []int, ix *indexes) bool {
	for _, t := range ts {
		if !t(s, env, ix) {
			return false
		}
	}
	return true
}

// indexes belong to one run over one structure: the candidates of each level,
// found when first needed.
type indexes struct{ levels []*index }

// An index lists the operations that pass a level's own tests, in order: all,
// or by the key of the level's probe.
type index struct {
	all   []int32
	byKey map[key][]int32
}

// A key is what a probe's terms denote: an operation or a value.
type key struct {
	op    int
	value history.Value
}

// keyTerm is a term of sort operation or value.
type keyTerm Term

func (t keyTerm) of(s Structure, op int) (key, bool) {
	switch t.Fn {
	case "":
		return key{op: op}, true
	case "match":
		m := s.Match(op)
		return key{op: m}, m != history.Unmatched
	}
	v, ok := position(Term(t)).value(s.Label(op))
	return key{value: v}, ok
}

func (ix *indexes) candidates(l *level, s Structure, env []int) []int32 {
	if ix.levels[l.id] == nil {
		ix.levels[l.id] = l.index(s, env)
	}
	in := ix.levels[l.id]
	if l.probe == nil {
		return in.all
	}
	k, ok := l.probe.other.of(s, env[l.probe.otherSlot])
	if !ok {
		return nil
	}
	return in.byKey[k]
}

func (l *level) index(s Structure, env []int) *index {
	in := &index{byKey: map[key][]int32{}}
	for i := range s.Len() {
		env[l.slot] = i
		if !holdAll(l.own, s, env, nil) {
			continue
		}
		if l.probe == nil {
			in.all = append(in.all, int32(i))
		} else if k, ok := l.probe.own.of(s, i); ok {
			in.byKey[k] = append(in.byKey[k], int32(i))
		}
	}
	return in
}
