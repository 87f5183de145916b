package matching

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/solver"
)

// encoding speaks about matching schemes in propositional logic: one variable
// for each valuation of the predicates, true iff y is the match target of x.
type encoding struct {
	table   *table
	circuit *solver.Circuit
	g       []solver.Lit // by valuation
}

func newEncoding(t *table) *encoding {
	return &encoding{table: t, circuit: solver.NewCircuit()}
}

// variable is g at a valuation.
func (n *encoding) variable(v int) solver.Lit {
	for len(n.g) <= v {
		n.g = append(n.g, n.circuit.Var())
	}
	return n.g[v]
}

// match is ISMATCH: target is the match target of op in e. If the predicates
// have identity, an operation is its own target only if it has no other.
func (n *encoding) match(e []enumerate.Label, target, op int) solver.Lit {
	l := n.variable(n.table.of(e, target, op))
	if target != op || !n.table.identity {
		return l
	}
	ls := append(make([]solver.Lit, 0, len(e)), l)
	for other := range e {
		if other != op {
			ls = append(ls, -n.variable(n.table.of(e, other, op)))
		}
	}
	return n.circuit.And(ls...)
}

// unmatched says that op has no match target in e.
func (n *encoding) unmatched(e []enumerate.Label, op int) solver.Lit {
	var ls []solver.Lit
	for t := range e {
		ls = append(ls, -n.match(e, t, op))
	}
	return n.circuit.And(ls...)
}

// unique is UNIQUEMATCH: no operation of e has two match targets. It is asked
// of every execution in the language, admitted or not; otherwise the mirror
// image, in which an add maps to its remove, passes for a queue.
func (n *encoding) unique(e []enumerate.Label) solver.Lit {
	var ls []solver.Lit
	for op := range e {
		for t := range e {
			for u := range t {
				if n.table.identity && (t == op || u == op) {
					continue
				}
				ls = append(ls, n.circuit.Or(-n.match(e, t, op), -n.match(e, u, op)))
			}
		}
	}
	return n.circuit.And(ls...)
}

// closed is target closure: a match target is its own match target.
func (n *encoding) closed(e []enumerate.Label) solver.Lit {
	var ls []solver.Lit
	for op := range e {
		for t := range e {
			if t != op {
				ls = append(ls, n.circuit.Implies(n.match(e, t, op), n.match(e, t, t)))
			}
		}
	}
	return n.circuit.And(ls...)
}

// entire is ENTIREMATCH: the operations at the given positions are one match.
func (n *encoding) entire(e []enumerate.Label, removed []int) solver.Lit {
	var matches []solver.Lit
	for _, t := range removed {
		in := removed
		var ls []solver.Lit
		for op := range e {
			l := n.match(e, t, op)
			if len(in) > 0 && in[0] == op {
				in = in[1:]
			} else {
				l = -l
			}
			ls = append(ls, l)
		}
		matches = append(matches, n.circuit.And(ls...))
	}
	return n.circuit.Or(matches...)
}

// notMatch is the match removal rule: what was removed is no match.
func (n *encoding) notMatch(r removal) solver.Lit { return -n.entire(r.e, r.removed) }

// notUnmatched is the unmatched rule: what was removed is not all unmatched.
func (n *encoding) notUnmatched(r removal) solver.Lit {
	var ls []solver.Lit
	for _, op := range r.removed {
		ls = append(ls, n.unmatched(r.e, op))
	}
	return -n.circuit.And(ls...)
}

// notDuplicate is the duplicate rule: an operation that was removed alone has
// no duplicate. Removals of several follow by transitivity.
func (n *encoding) notDuplicate(r removal) solver.Lit {
	if len(r.removed) != 1 {
		return solver.True
	}
	op := r.removed[0]
	a := n.table.alphabet
	var ls []solver.Lit
	for other := range r.e {
		if other != op && a.KindOf(r.e[other]) == a.KindOf(r.e[op]) {
			ls = append(ls, -n.sameMatch(r.e, op, other))
		}
	}
	return n.circuit.And(ls...)
}

// sameMatch says that two operations have the same match target, which is
// neither of them, or none.
func (n *encoding) sameMatch(e []enumerate.Label, op, other int) solver.Lit {
	ls := []solver.Lit{n.circuit.And(n.unmatched(e, op), n.unmatched(e, other))}
	for t := range e {
		if t != op && t != other {
			ls = append(ls, n.circuit.And(n.match(e, t, op), n.match(e, t, other)))
		}
	}
	return n.circuit.Or(ls...)
}

// differ says that two executions of equal kinds have different histories: one
// is admitted and the other is not.
func (n *encoding) differ(e, f []enumerate.Label) solver.Lit {
	var ls []solver.Lit
	for op := range e {
		for t := range e {
			ls = append(ls, -n.circuit.Iff(n.match(e, t, op), n.match(f, t, op)))
		}
	}
	return n.circuit.Or(ls...)
}

// constraint is a literal that must hold, with the reason.
type constraint struct {
	lit  solver.Lit
	rule rule
	e    []enumerate.Label // the execution that asks for it
	f    []enumerate.Label // another execution, if it takes two
	gone []int             // positions of e that were removed, if any
}

// rule names a family of constraints.
type rule string

const (
	ruleUnique    rule = "unique"    // at most one match target
	ruleClosed    rule = "closed"    // match targets are their own
	ruleMatch     rule = "match"     // removing a match keeps an execution admitted
	ruleUnmatched rule = "unmatched" // so does removing unmatched operations
	ruleDuplicate rule = "duplicate" // and a duplicate
	ruleFaithful  rule = "faithful"  // executions of which one is admitted have different histories
)

// describe says in one sentence what asks for a constraint.
func (c constraint) describe(a *enumerate.Alphabet) string {
	e := sequence(a, c.e)
	switch c.rule {
	case ruleUnique:
		return fmt.Sprintf("in %s no operation may have two match targets", e)
	case ruleClosed:
		return fmt.Sprintf("in %s a match target must be its own", e)
	case ruleFaithful:
		return fmt.Sprintf("%s is admitted and %s is not, so their histories must differ", e, sequence(a, c.f))
	}
	left := enumerate.Without(c.e, c.gone)
	var gone []enumerate.Label
	for _, i := range c.gone {
		gone = append(gone, c.e[i])
	}
	what := map[rule]string{ruleMatch: "a match", ruleUnmatched: "unmatched", ruleDuplicate: "a duplicate"}[c.rule]
	return fmt.Sprintf("%s is admitted and %s is not, so %s may not be %s", e, sequence(a, left), sequence(a, gone), what)
}

// valuations are those of the pairs of operations that a constraint is about.
func (c constraint) valuations(t *table) map[int]bool {
	vs := map[int]bool{}
	for _, e := range [][]enumerate.Label{c.e, c.f} {
		for op := range e {
			for target := range e {
				if len(c.gone) == 0 || slices.Contains(c.gone, op) || slices.Contains(c.gone, target) {
					vs[t.of(e, target, op)] = true
				}
			}
		}
	}
	return vs
}

// sequence draws an execution; the empty one has a name.
func sequence(a *enumerate.Alphabet, e []enumerate.Label) string {
	if len(e) == 0 {
		return "the empty execution"
	}
	return history.Sequential(a.Texts(e)...).String()
}

// options drop constraints; for tests that show why they are needed.
type options struct {
	onlyAdmitted bool // uniqueness on admitted executions only, as the paper has it
	without      map[rule]bool
}

// clauses yields what uniqueness and closure of an execution come to: g is not true of
// both v and w; or, with w negated (^w), of v only if of w.
func (n *encoding) clauses(e []enumerate.Label, yield func(r rule, v, w int)) {
	for op := range e {
		for t := range e {
			v := n.table.of(e, t, op)
			for u := range t {
				if !n.table.identity || t != op && u != op {
					yield(ruleUnique, v, n.table.of(e, u, op))
				}
			}
			if t == op {
				continue
			}
			yield(ruleClosed, v, ^n.table.of(e, t, t))
			for u := range e {
				if u != t && n.table.identity {
					yield(ruleClosed, v, n.table.of(e, u, t))
				}
			}
		}
	}
}

// constraints lists what a sample asks of a scheme, each literal once, and nothing that
// follows from what executions before ask, the shorter ones.
func (n *encoding) constraints(s *sample, o options) []constraint {
	var cs []constraint
	seen := map[solver.Lit]bool{solver.True: true}
	add := func(c constraint) {
		if !seen[c.lit] && !o.without[c.rule] {
			seen[c.lit] = true
			cs = append(cs, c)
		}
	}
	var met [][]bool // by v and w; negated ones are odd
	fresh := func(e []enumerate.Label) (more bool) {
		n.clauses(e, func(r rule, v, w int) {
			if o.without[r] {
				return
			}
			if w = 2 * w; w < 0 {
				w = -w - 1
			}
			for len(met) <= v {
				met = append(met, nil)
			}
			if len(met[v]) <= w {
				met[v] = append(met[v], make([]bool, w+1-len(met[v]))...)
			}
			more, met[v][w] = more || !met[v][w], true
		})
		return more
	}
	all := s.all
	if o.onlyAdmitted {
		all = s.admitted
	}
	for _, e := range all {
		if !fresh(e) { // what it asks for was asked for, by several maybe
			continue
		}
		add(constraint{lit: n.unique(e), rule: ruleUnique, e: e})
		add(constraint{lit: n.closed(e), rule: ruleClosed, e: e})
	}
	for _, r := range s.removals {
		add(constraint{lit: n.notMatch(r), rule: ruleMatch, e: r.e, gone: r.removed})
		add(constraint{lit: n.notUnmatched(r), rule: ruleUnmatched, e: r.e, gone: r.removed})
		add(constraint{lit: n.notDuplicate(r), rule: ruleDuplicate, e: r.e, gone: r.removed})
	}
	return cs
}
